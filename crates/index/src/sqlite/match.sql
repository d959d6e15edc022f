SELECT entries.fact, entries.revision, entries.kind, entries.scope, entries.length, words.terms
FROM words JOIN entries ON entries.id = words.rowid
WHERE words MATCH $1
