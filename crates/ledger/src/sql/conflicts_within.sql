WITH RECURSIVE wanted(rest, token) AS (
    SELECT SUBSTR(CAST($2 AS TEXT), 33), SUBSTR(CAST($2 AS TEXT), 1, 32)
    UNION ALL
    SELECT SUBSTR(rest, 33), SUBSTR(rest, 1, 32) FROM wanted WHERE LENGTH(rest) >= 32
), seen(conflict, fact, opened) AS (
    SELECT c.conflict, c.fact, c.opened FROM wanted w
    JOIN conflicts c ON c.tenant = $1 AND c.anchor = w.token AND c.closed IS NULL
    UNION
    SELECT c.conflict, c.fact, c.opened FROM wanted w
    JOIN conflicts c ON c.tenant = $1 AND c.people = w.token AND c.closed IS NULL
)
SELECT f.head FROM seen s
JOIN facts f ON f.tenant = $1 AND f.fact = s.fact
ORDER BY s.opened DESC
