SELECT f.fact, f.head, COALESCE(o.unanswered, 0)
FROM facts f
LEFT JOIN operations o ON o.tenant = f.tenant AND o.copy = $2 AND o.fact = f.fact
WHERE f.tenant = $1 AND f.fact > $3 AND CAST($5 AS TEXT) = ''
ORDER BY f.fact
LIMIT $4
