INSERT INTO adoptions (
    tenant, adoption, owner, scope, reviewer, steps, sealed_at, begun_at, applied_at, closing_at, rolled_back_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
