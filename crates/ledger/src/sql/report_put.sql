INSERT INTO index_reports (tenant, owner, checked_at, changes, report, drift) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (tenant, owner) DO UPDATE SET
    checked_at = excluded.checked_at, changes = excluded.changes, report = excluded.report,
    drift = excluded.drift
