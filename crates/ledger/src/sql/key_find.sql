SELECT id, tenant, body, created_at, revoked_at, digest FROM keys WHERE id = $1
