SELECT truth, recorded_at, position FROM truths
WHERE tenant = $1 AND fact = $2 AND recorded_at <= $4 AND recorded_at >= (
    SELECT MAX(recorded_at) FROM truths WHERE tenant = $1 AND fact = $2 AND recorded_at <= $3
)
ORDER BY recorded_at
