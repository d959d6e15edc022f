WITH RECURSIVE wanted(rest, token) AS (
    SELECT SUBSTR(CAST($10 AS TEXT), 33), SUBSTR(CAST($10 AS TEXT), 1, 32)
    UNION ALL
    SELECT SUBSTR(rest, 33), SUBSTR(rest, 1, 32) FROM wanted WHERE LENGTH(rest) >= 32
), opened(fact) AS (
    SELECT DISTINCT a.fact FROM wanted w JOIN access a ON a.tenant = $1 AND a.token = w.token
)
SELECT r.position, r.revision, r.state, r.turned_at, r.ended_at, r.fact, f.head, t.truth, t.recorded_at, t.position
FROM opened o
JOIN facts f ON f.tenant = $1 AND f.fact = o.fact
JOIN revisions r ON r.tenant = $1 AND r.fact = o.fact
JOIN truths t ON t.tenant = r.tenant AND t.fact = r.fact AND t.recorded_at = (
    SELECT MAX(x.recorded_at) FROM truths x
    WHERE x.tenant = r.tenant AND x.fact = r.fact AND x.recorded_at <= $2)
LEFT JOIN contents c ON c.tenant = r.tenant AND c.position = r.position
WHERE r.recorded_at <= $2 AND r.position < $3
    AND ($5 = '' OR f.kind = $5)
    AND ($6 = '' OR f.scope = $6)
    AND ($7 = '' OR c.name = $7)
    AND ($8 = '' OR REPLACE(c.tags, $8, '') <> c.tags)
    AND ($9 = 0 OR r.ended_at IS NULL OR r.ended_at > $2)
ORDER BY r.position DESC
LIMIT $4
