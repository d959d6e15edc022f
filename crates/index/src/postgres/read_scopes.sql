SELECT id, scope, entries, length, changes FROM scopes
WHERE id IN (SELECT scope FROM scope_tokens WHERE token = ANY ($1))
