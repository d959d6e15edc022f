INSERT INTO entries (
    id, tenant, source, fact, revision, kind, scope, digest, length, rules, conversation, sequence, message, speaker,
    terms, words
)
VALUES (
    COALESCE($1, nextval(pg_get_serial_sequence('entries', 'id'))), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
    $13, $14, $15, array_to_tsvector($16 || array_remove(string_to_array($15, ' '), ''))
)
