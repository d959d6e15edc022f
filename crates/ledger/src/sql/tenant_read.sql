SELECT position, digest, recorded_at, secret FROM tenants WHERE tenant = $1
