INSERT INTO legacy_rows (tenant, legacy, owner, scope, doc, salt, commitment, imported_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (tenant, legacy) DO NOTHING
