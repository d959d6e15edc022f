INSERT INTO audits (tenant, read_at, reader, act, fact) VALUES ($1, $2, $3, $4, $5)
