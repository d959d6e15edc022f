INSERT INTO receipts (tenant, receipt, recalled_at, expires_at, reader, query, body) VALUES ($1, $2, $3, $4, $5, $6, $7)
