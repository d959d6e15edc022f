UPDATE facts SET
    version = $3,
    head = $4,
    slot = CASE WHEN $7 = 1 THEN NULL ELSE COALESCE($6, slot) END,
    scope = COALESCE($8, scope)
WHERE tenant = $1 AND fact = $2 AND version = $5
