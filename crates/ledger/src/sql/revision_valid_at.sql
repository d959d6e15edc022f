SELECT revision, valid_until FROM revisions
WHERE tenant = $1 AND fact = $2 AND settled_at <= $3 AND valid_from <= $4
    AND NOT (state = 'retracted' AND ended_at <= $3)
ORDER BY settled_at DESC
LIMIT 1
