SELECT e.position, e.fact, e.revision, e.version, e.body, e.actor, e.recorded_at, e.request, e.commitment,
    e.previous, e.digest, c.doc, c.salt
FROM events e
LEFT JOIN contents c ON c.tenant = e.tenant AND c.position = e.position
WHERE e.tenant = $1 AND e.fact = $2 AND e.position < $3
ORDER BY e.position DESC
LIMIT $4
