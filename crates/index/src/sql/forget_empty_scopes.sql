DELETE FROM scopes WHERE entries = 0
