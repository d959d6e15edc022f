SELECT receipt, recalled_at, expires_at, reader, query, body FROM receipts
WHERE tenant = $1 AND receipt < $2 AND expires_at > $3 AND (CAST($4 AS TEXT) IS NULL OR reader = $4)
ORDER BY receipt DESC
LIMIT $5
