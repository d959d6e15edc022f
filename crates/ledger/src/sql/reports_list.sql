SELECT r.owner, r.checked_at, r.report, COALESCE(c.changes, 0) - r.changes FROM index_reports r
LEFT JOIN index_changes c ON c.tenant = r.tenant AND c.owner = r.owner
WHERE r.tenant = $1
ORDER BY r.owner
