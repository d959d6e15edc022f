UPDATE keys SET revoked_at = COALESCE(revoked_at, $3) WHERE tenant = $1 AND id = $2
