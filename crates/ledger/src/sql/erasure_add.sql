INSERT INTO erasures (tenant, position, erased_by) VALUES ($1, $2, $3)
