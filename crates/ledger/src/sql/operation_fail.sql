UPDATE operations SET attempts = attempts + 1, error = $4, due_at = $5
WHERE tenant = $1 AND copy = $2 AND fact = $3
