UPDATE tenants SET position = $2, digest = $3, recorded_at = $4 WHERE tenant = $1
