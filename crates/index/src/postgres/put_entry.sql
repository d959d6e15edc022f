INSERT INTO entries (id, tenant, source, fact, revision, kind, scope, digest, length, rules, terms, words)
VALUES (
    COALESCE($1, nextval(pg_get_serial_sequence('entries', 'id'))), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
    array_to_tsvector($12 || array_remove(string_to_array($11, ' '), ''))
)
