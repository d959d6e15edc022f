INSERT INTO index_changes (tenant, owner, changes) VALUES ($1, $2, $3)
ON CONFLICT (tenant, owner) DO UPDATE SET changes = index_changes.changes + excluded.changes
