INSERT INTO operations (tenant, copy, fact, wanted, unanswered, attempts, due_at, epoch)
SELECT tenant, $2, legacy, 1, 1, 0, $4, 1 FROM legacy_rows WHERE tenant = $1 AND owner = $3
ON CONFLICT (tenant, copy, fact) DO UPDATE SET
    unanswered = CASE WHEN operations.unanswered = 0 THEN operations.wanted ELSE operations.unanswered END,
    due_at = CASE WHEN operations.attempts = 0 THEN excluded.due_at ELSE operations.due_at END
