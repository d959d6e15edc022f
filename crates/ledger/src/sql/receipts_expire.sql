DELETE FROM receipts WHERE tenant = $1 AND expires_at <= $2
