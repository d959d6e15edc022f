DELETE FROM legacy_citations
WHERE tenant = $1 AND legacy = $2
    AND position IN (SELECT position FROM events e WHERE e.tenant = $1 AND e.fact = $3)
