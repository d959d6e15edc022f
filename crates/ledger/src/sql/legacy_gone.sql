INSERT INTO legacy_gone (tenant, legacy) VALUES ($1, $2) ON CONFLICT (tenant, legacy) DO NOTHING
