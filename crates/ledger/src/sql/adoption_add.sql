INSERT INTO adoptions (tenant, adoption, owner, scope, reviewer, steps, sealed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (tenant, adoption) DO NOTHING
