SELECT receipt, recalled_at, expires_at, reader, query, body FROM receipts WHERE tenant = $1 AND receipt = $2 AND expires_at > $3
