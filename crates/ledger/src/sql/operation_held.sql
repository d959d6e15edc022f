SELECT tenant, fact, wanted, attempts, epoch FROM operations
WHERE tenant = $1 AND copy = $2 AND fact = $3 AND holder = $4
