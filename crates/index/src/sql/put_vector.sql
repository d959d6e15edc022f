INSERT INTO vectors (digest, model, piece, vector) VALUES ($1, $2, $3, $4)
ON CONFLICT (digest, model, piece) DO NOTHING
