-- As one value, as on SQLite.
SELECT COALESCE(json_agg(json_build_array(
    fact, revision, kind, scope, length, terms, conversation, sequence, message, speaker)), '[]')::text
FROM entries WHERE words @@ $1::text::tsquery
