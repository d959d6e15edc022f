INSERT INTO legacy_rows (
    tenant, legacy, owner, scope, says, place, doc, salt, commitment, imported_at, decision, note, adoption)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
