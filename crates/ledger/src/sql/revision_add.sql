INSERT INTO revisions (tenant, fact, revision, position, recorded_at, state, turned_at, ended_at, settled_at,
    valid_from, valid_until, statement, says)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
