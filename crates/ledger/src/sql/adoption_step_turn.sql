INSERT INTO adoption_steps (tenant, adoption, step, outcome, legacy, fact, revision, done_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (tenant, adoption, step) DO UPDATE SET outcome = excluded.outcome
