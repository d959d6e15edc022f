INSERT INTO scopes (name, scope, entries, length) VALUES ($1, $2, 0, 0)
ON CONFLICT (name) DO UPDATE SET entries = scopes.entries
RETURNING id
