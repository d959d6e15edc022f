UPDATE reviews SET closed = $3 WHERE tenant = $1 AND fact = $2 AND closed IS NULL
