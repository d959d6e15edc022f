INSERT INTO scopes (name, scope, entries, length) VALUES ($1, $2, 1, $3)
ON CONFLICT (name) DO UPDATE SET entries = scopes.entries + 1, length = scopes.length + excluded.length
RETURNING id, entries
