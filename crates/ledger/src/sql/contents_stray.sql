SELECT c.position FROM contents c
LEFT JOIN events e ON e.tenant = c.tenant AND e.position = c.position
WHERE c.tenant = $1 AND e.position IS NULL
ORDER BY c.position
