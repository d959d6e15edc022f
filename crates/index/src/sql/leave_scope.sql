UPDATE scopes SET entries = entries - 1, length = length - $2, changes = $3 WHERE id = $1
