SELECT id, tenant, body, created_at, revoked_at FROM keys WHERE tenant = $1 ORDER BY created_at
