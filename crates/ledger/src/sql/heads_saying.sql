SELECT f.head, r.revision FROM revisions r
JOIN facts f ON f.tenant = r.tenant AND f.fact = r.fact
WHERE r.tenant = $1 AND r.statement = $2
ORDER BY r.position
