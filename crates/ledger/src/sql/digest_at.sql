SELECT digest FROM events WHERE tenant = $1 AND position = $2
