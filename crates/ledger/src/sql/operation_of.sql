SELECT tenant, fact, wanted, attempts, epoch FROM operations
WHERE copy = $1 AND (unanswered > 0 OR due_at <= $2) AND tenant = $3 AND fact = $4
