INSERT INTO legacy_rows (tenant, legacy, owner, scope, says, place, doc, salt, commitment, imported_at)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10
WHERE NOT EXISTS (SELECT 1 FROM legacy_gone g WHERE g.tenant = $1 AND g.legacy = $2)
ON CONFLICT (tenant, legacy) DO NOTHING
