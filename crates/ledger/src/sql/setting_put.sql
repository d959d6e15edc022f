INSERT INTO settings (tenant, channel, agent, runtime, field, value) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (tenant, channel, agent, runtime, field) DO UPDATE SET value = excluded.value
