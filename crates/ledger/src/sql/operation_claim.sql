UPDATE operations SET holder = $4, epoch = epoch + 1, attempts = attempts + 1, due_at = $5
WHERE tenant = $1 AND copy = $2 AND fact = $3 AND epoch = $6 AND due_at <= $7
RETURNING tenant, fact, wanted, attempts, epoch
