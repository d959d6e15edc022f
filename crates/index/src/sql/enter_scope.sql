INSERT INTO scopes (name, scope, entries, length, changes) VALUES ($1, $2, 1, $3, $4)
ON CONFLICT (name) DO UPDATE SET
    entries = scopes.entries + 1, length = scopes.length + excluded.length, changes = excluded.changes
RETURNING id, entries
