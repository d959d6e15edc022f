INSERT INTO adoptions (tenant, adoption, owner, scope, reviewer, steps, begun_at, applied_at, rolled_back_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
