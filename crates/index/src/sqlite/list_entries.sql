SELECT entries.id, entries.fact, entries.source, entries.revision, entries.digest, entries.rules,
    entries.conversation, entries.sequence, entries.message, entries.speaker, scopes.scope,
    words.rowid IS NOT NULL,
    CAST($5 AS TEXT) IS NULL OR EXISTS (
        SELECT 1 FROM vectors WHERE vectors.digest = entries.digest AND vectors.model = $5)
FROM entries JOIN scopes ON scopes.id = entries.scope
LEFT JOIN words ON words.rowid = entries.id
WHERE entries.tenant = $1 AND entries.fact > $2 AND entries.fact <= $3
    AND entries.scope IN (SELECT scope FROM scope_tokens WHERE token = $4)
ORDER BY entries.fact, entries.id
