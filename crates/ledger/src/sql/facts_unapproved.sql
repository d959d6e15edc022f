SELECT DISTINCT r.fact FROM reviews r
JOIN facts f ON f.tenant = r.tenant AND f.fact = r.fact
WHERE r.tenant = $1 AND r.cause = $2 AND f.kind = $3 AND f.scope = $4 AND f.slot IS NULL
    AND NOT EXISTS (SELECT 1 FROM revisions v WHERE v.tenant = r.tenant AND v.fact = r.fact)
ORDER BY r.fact
