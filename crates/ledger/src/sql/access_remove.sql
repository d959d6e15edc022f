DELETE FROM access WHERE tenant = $1 AND token = $2 AND fact = $3
