UPDATE operations
SET unanswered = 0, attempts = 0, error = NULL, failing_since = NULL, holder = NULL, due_at = $7
WHERE tenant = $1 AND copy = $2 AND fact = $3 AND holder = $4 AND epoch = $5 AND wanted = $6
