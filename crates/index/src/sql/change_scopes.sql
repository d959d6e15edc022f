UPDATE scopes SET changes = $2 WHERE id IN (SELECT scope FROM entries WHERE digest = $1)
