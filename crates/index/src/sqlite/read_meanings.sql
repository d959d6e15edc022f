SELECT digest, vector FROM vectors
WHERE digest IN (SELECT value FROM json_each($1)) AND model = $2
ORDER BY digest, piece
