INSERT INTO tenants (tenant, position, digest, recorded_at, secret) VALUES ($1, 0, $2, 0, $3)
ON CONFLICT (tenant) DO NOTHING
