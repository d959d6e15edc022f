SELECT
    COUNT(CASE WHEN o.attempts < $2 AND (o.unanswered > 0 OR o.due_at <= $3) THEN 1 END),
    COUNT(CASE WHEN o.attempts >= $2 AND (o.holder IS NULL OR o.due_at <= $3) THEN 1 END),
    COUNT(CASE WHEN o.attempts >= $2 AND (o.holder IS NULL OR o.due_at <= $3) AND o.wanted > o.unanswered
        AND o.unanswered > 0 THEN 1 END),
    MIN(CASE WHEN o.unanswered > 0 THEN e.recorded_at END)
FROM operations o
LEFT JOIN events e ON e.tenant = o.tenant AND e.position = o.unanswered
WHERE o.copy = $1 AND (CAST($4 AS TEXT) IS NULL OR o.tenant = $4)
    AND (CAST($5 AS TEXT) IS NULL OR EXISTS (
        SELECT 1 FROM access a WHERE a.tenant = o.tenant AND a.fact = o.fact AND a.token = $5))
    AND (CAST($6 AS TEXT) IS NULL OR o.fact = $6)
