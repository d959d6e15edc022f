SELECT f.head FROM operations o
JOIN facts f ON f.tenant = o.tenant AND f.fact = o.fact
WHERE o.copy = $1 AND (o.unanswered > 0 OR o.due_at <= $2) AND o.tenant = $3
ORDER BY o.wanted DESC
LIMIT $4
