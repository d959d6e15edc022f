SELECT id, scope, entries, length, changes FROM scopes
WHERE id IN (SELECT scope FROM scope_tokens WHERE token IN (SELECT value FROM json_each($1)))
