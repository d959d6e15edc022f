SELECT tenant, fact, wanted, attempts, epoch FROM operations
WHERE copy = $1 AND due_at <= $2 AND attempts < $3
ORDER BY due_at, tenant, fact
LIMIT $4
