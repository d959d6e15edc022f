SELECT digest, answer FROM requests WHERE tenant = $1 AND request = $2
