INSERT INTO entries (
    id, tenant, source, fact, revision, kind, scope, digest, length, rules, conversation, sequence, message, speaker)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
RETURNING id
