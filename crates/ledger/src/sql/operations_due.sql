SELECT tenant, fact, wanted, attempts FROM operations
WHERE copy = $1 AND due_at <= $2
ORDER BY due_at, tenant, fact
LIMIT $3
