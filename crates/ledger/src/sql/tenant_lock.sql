UPDATE tenants SET position = position WHERE tenant = $1
RETURNING position, digest, recorded_at, secret
