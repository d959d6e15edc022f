INSERT INTO requests (tenant, request, digest, answer, recorded_at) VALUES ($1, $2, $3, $4, $5)
