SELECT revision, CASE
    WHEN state = 'retracted' AND ended_at <= $3 THEN valid_from
    WHEN state = 'superseded' AND ended_at <= $3 AND (valid_until IS NULL OR ended_at < valid_until) THEN ended_at
    ELSE valid_until END
FROM revisions
WHERE tenant = $1 AND fact = $2 AND settled_at > 0 AND settled_at <= $3 AND valid_from <= $4
ORDER BY settled_at DESC
LIMIT 1
