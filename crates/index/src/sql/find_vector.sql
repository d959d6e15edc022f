SELECT 1 FROM vectors WHERE digest = $1 AND model = $2 AND piece = 0
