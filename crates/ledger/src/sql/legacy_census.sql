SELECT s.tenant, s.scope, s.decision, s.cited, s.reconciled, COUNT(*)
FROM (
    SELECT l.tenant, l.scope, l.decision,
        (SELECT COUNT(*) FROM (SELECT 1 FROM legacy_citations c
         WHERE c.tenant = l.tenant AND c.legacy = l.legacy LIMIT 1) one) AS cited,
        (SELECT COUNT(*) FROM (SELECT 1 FROM adoptions a
         WHERE a.tenant = l.tenant AND a.owner = l.owner AND a.begun_at IS NOT NULL LIMIT 1) one) AS reconciled
    FROM legacy_rows l
    WHERE CAST($1 AS TEXT) IS NULL OR l.tenant = $1
) s
GROUP BY s.tenant, s.scope, s.decision, s.cited, s.reconciled
