SELECT entries.fact, entries.revision, entries.kind, entries.scope, entries.length, words.terms,
    entries.conversation, entries.sequence, entries.message, entries.speaker
FROM words JOIN entries ON entries.id = words.rowid
WHERE words MATCH $1
