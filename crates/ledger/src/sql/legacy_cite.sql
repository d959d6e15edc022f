INSERT INTO legacy_citations (tenant, legacy, position) VALUES ($1, $2, $3)
