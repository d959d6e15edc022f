DELETE FROM operations
WHERE tenant = $1 AND copy = $2 AND fact = $3 AND holder = $4 AND epoch = $5 AND wanted = $6
