INSERT INTO events (tenant, position, fact, revision, version, body, actor, recorded_at, request, commitment, previous, digest)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
