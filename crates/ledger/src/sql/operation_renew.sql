UPDATE operations SET attempts = 0, error = NULL, due_at = $4
WHERE tenant = $1 AND copy = $2 AND fact = $3
