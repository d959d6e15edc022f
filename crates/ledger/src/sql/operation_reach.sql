UPDATE operations SET unanswered = $4, attempts = 0, error = NULL
WHERE tenant = $1 AND copy = $2 AND fact = $3 AND unanswered < $4 AND unanswered > 0
