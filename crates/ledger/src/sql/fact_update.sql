UPDATE facts SET version = $3, head = $4 WHERE tenant = $1 AND fact = $2 AND version = $5
