INSERT INTO versions (tenant, source, fact, version) VALUES ($1, $2, $3, 1)
ON CONFLICT (tenant, source, fact) DO UPDATE SET version = versions.version + 1
WHERE CAST($4 AS BIGINT) IS NULL OR versions.version = CAST($4 AS BIGINT)
