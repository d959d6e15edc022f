UPDATE operations SET unanswered = 0, attempts = 0, error = NULL, due_at = $1
WHERE tenant = $2 AND copy = $3 AND fact = $4 AND wanted = $5
