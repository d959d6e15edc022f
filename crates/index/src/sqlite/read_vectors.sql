SELECT entries.scope, entries.fact, entries.revision, entries.kind,
    entries.conversation, entries.sequence, entries.message, entries.speaker, vectors.vector
FROM entries JOIN vectors ON vectors.digest = entries.digest
WHERE entries.scope IN (SELECT value FROM json_each($1)) AND vectors.model = $2
ORDER BY entries.scope, entries.id, vectors.piece
