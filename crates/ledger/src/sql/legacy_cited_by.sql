SELECT DISTINCT c.legacy FROM events e
JOIN legacy_citations c ON c.tenant = e.tenant AND c.position = e.position
WHERE e.tenant = $1 AND e.fact = $2
