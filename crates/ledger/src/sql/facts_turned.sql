SELECT day, was, became, COUNT(*) FROM (
    SELECT turned.recorded_at / $3 AS day,
        CASE
            WHEN turned.before IS NULL THEN 'none'
            WHEN turned.before LIKE '%"truth":"settled"%' THEN 'settled'
            WHEN turned.before LIKE '%"truth":"contested"%' THEN 'contested'
            ELSE 'ended'
        END AS was,
        CASE
            WHEN turned.after LIKE '%"truth":"settled"%' THEN 'settled'
            WHEN turned.after LIKE '%"truth":"contested"%' THEN 'contested'
            ELSE 'ended'
        END AS became
    FROM (
        SELECT t.recorded_at, t.truth AS after, (
            SELECT p.truth FROM truths p
            WHERE p.tenant = t.tenant AND p.fact = t.fact AND p.recorded_at < t.recorded_at
            ORDER BY p.recorded_at DESC
            LIMIT 1
        ) AS before
        FROM events e
        JOIN truths t ON t.tenant = e.tenant AND t.fact = e.fact AND t.recorded_at = e.recorded_at
        WHERE e.tenant = $1 AND e.position > $2
    ) turned
) days
WHERE was <> became
GROUP BY day, was, became
ORDER BY day, was, became
