DELETE FROM contents WHERE tenant = $1 AND position = $2
