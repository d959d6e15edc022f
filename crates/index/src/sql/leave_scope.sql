UPDATE scopes SET entries = entries - 1, length = length - $2 WHERE id = $1
