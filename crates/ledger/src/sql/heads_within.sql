WITH RECURSIVE wanted(rest, token) AS (
    SELECT SUBSTR(CAST($5 AS TEXT), 33), SUBSTR(CAST($5 AS TEXT), 1, 32)
    UNION ALL
    SELECT SUBSTR(rest, 33), SUBSTR(rest, 1, 32) FROM wanted WHERE LENGTH(rest) >= 32
), opened(fact) AS (
    SELECT DISTINCT a.fact FROM wanted w JOIN access a ON a.tenant = $1 AND a.token = w.token AND a.fact > $3
)
-- As in conflicts_within.sql: a join would let SQLite walk every fact of the tenant.
SELECT p.fact, (SELECT f.head FROM facts f WHERE f.tenant = $1 AND f.fact = p.fact), COALESCE(o.unanswered, 0)
FROM opened p
LEFT JOIN operations o ON o.tenant = $1 AND o.copy = $2 AND o.fact = p.fact
ORDER BY p.fact
LIMIT $4
