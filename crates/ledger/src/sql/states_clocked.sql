SELECT f.head, r.revision FROM revisions r
JOIN facts f ON f.tenant = r.tenant AND f.fact = r.fact
WHERE r.tenant = $1 AND r.state = 'active' AND (r.valid_until <= $2 OR EXISTS (
    SELECT 1 FROM revisions x
    WHERE x.tenant = r.tenant AND x.fact = r.fact AND x.state IN ('active', 'retracted') AND x.revision > r.revision))
