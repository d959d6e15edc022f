UPDATE conflicts SET closed = $3 WHERE tenant = $1 AND conflict = $2 AND closed IS NULL
