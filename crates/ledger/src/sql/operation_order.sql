INSERT INTO operations (tenant, copy, fact, wanted, unanswered, attempts, due_at, epoch)
SELECT $1, $2, $3, s.version, s.version, 0, $4, 1
FROM (SELECT COALESCE(MAX(version), 1) AS version FROM facts WHERE tenant = $1 AND fact = $3) s
WHERE TRUE
ON CONFLICT (tenant, copy, fact) DO UPDATE SET
    unanswered = CASE WHEN operations.unanswered = 0 THEN operations.wanted ELSE operations.unanswered END,
    due_at = CASE WHEN operations.attempts = 0 THEN excluded.due_at ELSE operations.due_at END
