WITH RECURSIVE wanted(rest, token) AS (
    SELECT SUBSTR(CAST($5 AS TEXT), 33), SUBSTR(CAST($5 AS TEXT), 1, 32)
    UNION ALL
    SELECT SUBSTR(rest, 33), SUBSTR(rest, 1, 32) FROM wanted WHERE LENGTH(rest) >= 32
), opened(fact) AS (
    SELECT DISTINCT a.fact FROM wanted w JOIN access a ON a.tenant = $1 AND a.token = w.token AND a.fact > $3
)
SELECT f.fact, f.head, COALESCE(o.unanswered, 0)
FROM opened p
JOIN facts f ON f.tenant = $1 AND f.fact = p.fact
LEFT JOIN operations o ON o.tenant = f.tenant AND o.copy = $2 AND o.fact = f.fact
ORDER BY f.fact
LIMIT $4
