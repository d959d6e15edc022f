INSERT INTO operations (tenant, copy, fact, wanted, unanswered, attempts, due_at, holder, epoch)
VALUES ($1, $2, $3, $4, $4, CASE WHEN CAST($6 AS TEXT) IS NULL THEN 0 ELSE 1 END, $5, $6, 1)
ON CONFLICT (tenant, copy, fact) DO UPDATE SET
    wanted = excluded.wanted,
    unanswered = CASE WHEN operations.unanswered = 0 THEN excluded.wanted ELSE operations.unanswered END,
    attempts = CASE WHEN operations.attempts = 0 THEN excluded.attempts ELSE operations.attempts END,
    due_at = CASE WHEN operations.attempts = 0 THEN excluded.due_at ELSE operations.due_at END,
    holder = CASE WHEN operations.attempts = 0 THEN excluded.holder ELSE operations.holder END,
    epoch = CASE WHEN operations.attempts = 0 THEN operations.epoch + 1 ELSE operations.epoch END
