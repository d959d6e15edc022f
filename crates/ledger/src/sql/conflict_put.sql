INSERT INTO conflicts (tenant, conflict, fact, anchor, people, opened, opened_at, version)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (tenant, conflict) DO UPDATE SET version = excluded.version, closed = NULL
