SELECT r.position, r.revision, r.state, r.turned_at, r.ended_at, r.fact, f.head, t.truth, t.recorded_at, t.position
FROM revisions r
JOIN facts f ON f.tenant = r.tenant AND f.fact = r.fact
JOIN truths t ON t.tenant = r.tenant AND t.fact = r.fact AND t.recorded_at = (
    SELECT MAX(x.recorded_at) FROM truths x
    WHERE x.tenant = r.tenant AND x.fact = r.fact AND x.recorded_at <= $2)
LEFT JOIN contents c ON c.tenant = r.tenant AND c.position = r.position
WHERE r.tenant = $1 AND r.recorded_at <= $2 AND r.position < $3
    AND (CAST($10 AS TEXT) = '')
    AND ($5 = '' OR f.kind = $5)
    AND ($6 = '' OR f.scope = $6)
    AND ($7 = '' OR c.name = $7)
    AND ($8 = '' OR REPLACE(c.tags, $8, '') <> c.tags)
    AND ($9 = 0 OR r.ended_at IS NULL OR r.ended_at > $2)
ORDER BY r.position DESC
LIMIT $4
