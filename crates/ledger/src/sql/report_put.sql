INSERT INTO index_reports (tenant, owner, checked_at, changes, report, drift) VALUES (
    $1, $2, $3, COALESCE((SELECT changes FROM index_changes WHERE tenant = $1 AND owner = $2), 0), $4, $5)
ON CONFLICT (tenant, owner) DO UPDATE SET
    checked_at = excluded.checked_at, changes = excluded.changes, report = excluded.report,
    drift = excluded.drift
