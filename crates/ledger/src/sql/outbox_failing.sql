SELECT o.tenant, o.fact, f.scope, o.attempts, o.error, o.failing_since FROM operations o
JOIN facts f ON f.tenant = o.tenant AND f.fact = o.fact
WHERE o.copy = $1 AND o.attempts >= $2 AND (o.holder IS NULL OR o.due_at <= $3)
    AND (CAST($4 AS TEXT) IS NULL OR o.tenant = $4)
    AND (CAST($5 AS TEXT) IS NULL OR EXISTS (
        SELECT 1 FROM access a WHERE a.tenant = o.tenant AND a.fact = o.fact AND a.token = $5))
    AND (CAST($6 AS TEXT) IS NULL OR o.fact = $6)
ORDER BY o.tenant, o.fact
LIMIT $7
