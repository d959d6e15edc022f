-- As one value: each row that the driver hands over costs more than finding it.
SELECT json_group_array(json_array(
    entries.fact, entries.revision, entries.kind, entries.scope, entries.length, words.terms,
    entries.conversation, entries.sequence, entries.message, entries.speaker))
FROM words JOIN entries ON entries.id = words.rowid
WHERE words MATCH $1
