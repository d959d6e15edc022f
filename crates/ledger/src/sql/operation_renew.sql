UPDATE operations SET attempts = $4, holder = NULL, epoch = epoch + 1, due_at = $5
WHERE tenant = $1 AND copy = $2 AND fact = $3
