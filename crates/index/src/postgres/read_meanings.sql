SELECT digest, vector FROM vectors
WHERE digest = ANY($1) AND model = $2
ORDER BY digest, piece
