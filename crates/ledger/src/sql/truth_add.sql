INSERT INTO truths (tenant, fact, recorded_at, position, truth) VALUES ($1, $2, $3, $4, $5)
