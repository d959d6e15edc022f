SELECT COUNT(*), MIN(opened_at), (SELECT COUNT(*) FROM reviews r WHERE r.tenant = $1 AND r.closed IS NULL)
FROM conflicts c
WHERE c.tenant = $1 AND c.closed IS NULL
