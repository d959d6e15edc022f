SELECT l.legacy, l.scope, l.doc, l.salt, l.commitment, l.imported_at, l.decision, l.note,
    CAST(0 AS BIGINT), CAST(0 AS BIGINT), CAST(0 AS BIGINT), CAST(0 AS BIGINT), l.owner
FROM legacy_rows l
WHERE l.tenant = $1 AND l.owner = $4 AND l.legacy > $2
    AND (l.decision IS NULL OR l.decision IN ('deferred', 'kept'))
    AND (l.decision = 'kept' OR NOT EXISTS (
        SELECT 1 FROM adoptions a
        WHERE a.tenant = l.tenant AND a.owner = l.owner AND a.begun_at IS NOT NULL))
    AND NOT EXISTS (
        SELECT 1 FROM legacy_citations c WHERE c.tenant = l.tenant AND c.legacy = l.legacy
        UNION ALL
        SELECT 1 FROM revisions r WHERE r.tenant = l.tenant AND r.says = l.says)
ORDER BY l.legacy
LIMIT $3
