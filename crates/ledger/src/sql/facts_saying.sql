SELECT DISTINCT r.fact FROM revisions r
JOIN legacy_rows l ON l.tenant = r.tenant AND l.says = r.says
WHERE l.tenant = $1 AND l.legacy = $2
