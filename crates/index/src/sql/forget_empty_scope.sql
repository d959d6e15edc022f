DELETE FROM scopes WHERE id = $1 AND entries = 0
