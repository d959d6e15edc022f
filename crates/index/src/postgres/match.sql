SELECT fact, revision, kind, scope, length, terms,
    CASE WHEN coalesce(conversation, message, speaker) IS NOT NULL
        THEN json_build_array(conversation, sequence, message, speaker)::text END
FROM entries WHERE words @@ $1::text::tsquery
