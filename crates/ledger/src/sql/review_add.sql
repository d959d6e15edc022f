INSERT INTO reviews (tenant, review, fact, position, cause) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant, review) DO UPDATE SET position = excluded.position
