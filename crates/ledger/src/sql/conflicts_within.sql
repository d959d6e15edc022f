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
-- A join would let SQLite, which does not know how few these are, walk every fact of the tenant.
SELECT (SELECT f.head FROM facts f WHERE f.tenant = $1 AND f.fact = s.fact) FROM seen s
ORDER BY s.opened DESC
