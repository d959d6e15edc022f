SELECT day, COUNT(*) FROM (
    SELECT recalled_at / $4 AS day FROM receipts
    WHERE tenant = $1 AND recalled_at >= $2 AND expires_at > $3
) days
GROUP BY day
ORDER BY day
