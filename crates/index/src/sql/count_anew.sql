UPDATE scopes SET
    entries = (SELECT count(*) FROM entries WHERE entries.scope = scopes.id),
    length = (SELECT coalesce(sum(length), 0) FROM entries WHERE entries.scope = scopes.id),
    changes = (SELECT changes FROM clock)
