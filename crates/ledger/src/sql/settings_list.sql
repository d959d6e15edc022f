SELECT tenant, channel, agent, runtime, field, value FROM settings
WHERE CAST($1 AS TEXT) IS NULL OR tenant = $1
