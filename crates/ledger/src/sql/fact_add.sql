INSERT INTO facts (tenant, fact, kind, scope, slot, created, version, head)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
