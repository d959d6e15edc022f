INSERT INTO access (tenant, token, fact) VALUES ($1, $2, $3)
