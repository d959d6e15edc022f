SELECT DISTINCT fact FROM revisions
WHERE tenant = $1 AND state = 'active' AND valid_until <= $2 AND fact > $3
ORDER BY fact
LIMIT $4
