SELECT fact FROM (
    SELECT fact FROM facts
    WHERE tenant = $1 AND fact > $2
        AND (CAST($3 AS TEXT) IS NULL OR EXISTS (
            SELECT 1 FROM access a WHERE a.tenant = facts.tenant AND a.fact = facts.fact AND a.token = $3))
    UNION ALL
    SELECT legacy FROM legacy_rows
    WHERE tenant = $1 AND legacy > $2 AND (CAST($3 AS TEXT) IS NULL OR owner = $3)
) copied
ORDER BY fact
LIMIT $4
