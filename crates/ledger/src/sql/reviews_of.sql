SELECT r.review, e.position, e.fact, e.revision, e.version, e.body, e.actor, e.recorded_at, e.request,
    e.commitment, e.previous, e.digest, c.doc, c.salt, x.body, r.closed
FROM reviews r
JOIN events e ON e.tenant = r.tenant AND e.position = r.position
LEFT JOIN contents c ON c.tenant = r.tenant AND c.position = r.position
LEFT JOIN events x ON x.tenant = r.tenant AND x.position = r.closed
WHERE r.tenant = $1 AND r.fact = $2
ORDER BY r.position
