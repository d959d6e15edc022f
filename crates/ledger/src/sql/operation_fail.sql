UPDATE operations
SET attempts = $6, error = $7, failing_since = COALESCE(failing_since, $8), holder = NULL, due_at = $9
WHERE tenant = $1 AND copy = $2 AND fact = $3 AND holder = $4 AND epoch = $5
