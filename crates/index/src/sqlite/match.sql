SELECT entries.fact, entries.revision, entries.kind, entries.scope, entries.length, words.terms,
    CASE WHEN coalesce(entries.conversation, entries.message, entries.speaker) IS NOT NULL
        THEN json_array(entries.conversation, entries.sequence, entries.message, entries.speaker) END
FROM words JOIN entries ON entries.id = words.rowid
WHERE words MATCH $1
