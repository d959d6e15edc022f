UPDATE reviews SET closed = $3 WHERE tenant = $1 AND review = $2 AND closed IS NULL
