SELECT f.head, t.truth, t.recorded_at, t.position FROM facts f
JOIN truths t ON t.tenant = f.tenant AND t.fact = f.fact
WHERE f.tenant = $1 AND f.fact = $2 AND t.recorded_at <= $3
ORDER BY t.recorded_at DESC
LIMIT 1
