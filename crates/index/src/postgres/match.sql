SELECT fact, revision, kind, scope, length, terms FROM entries WHERE words @@ $1::text::tsquery
