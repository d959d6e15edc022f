UPDATE scopes SET changes = $1
