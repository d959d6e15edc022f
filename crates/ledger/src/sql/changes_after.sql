WITH RECURSIVE wanted(rest, token) AS (
    SELECT SUBSTR(CAST($4 AS TEXT), 33), SUBSTR(CAST($4 AS TEXT), 1, 32)
    UNION ALL
    SELECT SUBSTR(rest, 33), SUBSTR(rest, 1, 32) FROM wanted WHERE LENGTH(rest) >= 32
)
SELECT e.position, e.fact, e.revision, e.version, e.body, e.actor, e.recorded_at, e.request, e.commitment,
    e.previous, e.digest, f.head
FROM events e
JOIN facts f ON f.tenant = e.tenant AND f.fact = e.fact
WHERE e.tenant = $1 AND e.position > $2
    AND (CAST($4 AS TEXT) IS NULL OR EXISTS (
        SELECT 1 FROM access a JOIN wanted w ON w.token = a.token WHERE a.tenant = e.tenant AND a.fact = e.fact))
ORDER BY e.position
LIMIT $3
