SELECT f.head, r.review, e.position, e.fact, e.revision, e.version, e.body, e.actor, e.recorded_at, e.request,
    e.commitment, e.previous, e.digest, c.doc, c.salt
FROM reviews r
JOIN facts f ON f.tenant = r.tenant AND f.fact = r.fact
JOIN events e ON e.tenant = r.tenant AND e.position = r.position
LEFT JOIN contents c ON c.tenant = r.tenant AND c.position = r.position
WHERE r.tenant = $1 AND r.closed IS NULL
ORDER BY r.position DESC
