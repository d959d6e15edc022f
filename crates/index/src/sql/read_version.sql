SELECT version FROM versions WHERE tenant = $1 AND source = $2 AND fact = $3
