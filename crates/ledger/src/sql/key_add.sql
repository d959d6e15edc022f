INSERT INTO keys (id, tenant, digest, body, created_at) VALUES ($1, $2, $3, $4, $5)
