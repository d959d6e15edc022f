INSERT INTO operations (tenant, copy, fact, wanted, unanswered, attempts, due_at, epoch)
VALUES ($1, $2, $3, $4, $4, 0, $5, 0)
ON CONFLICT (tenant, copy, fact) DO UPDATE SET
    wanted = excluded.wanted,
    unanswered = CASE WHEN operations.unanswered = 0 THEN excluded.wanted ELSE operations.unanswered END,
    due_at = CASE WHEN operations.unanswered = 0 THEN excluded.due_at ELSE operations.due_at END
