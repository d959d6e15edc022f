UPDATE scopes SET entries = entries + $2, length = length + $3 WHERE id = $1
