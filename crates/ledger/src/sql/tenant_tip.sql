SELECT t.position, t.digest, t.recorded_at, t.secret, e.digest, e.recorded_at FROM tenants t
LEFT JOIN events e ON e.tenant = t.tenant AND e.position = t.position
WHERE t.tenant = $1
