SELECT fact, revision, kind, scope, length, terms, conversation, sequence, message, speaker
FROM entries WHERE words @@ $1::text::tsquery
