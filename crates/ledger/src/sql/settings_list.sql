SELECT channel, agent, runtime, field, value FROM settings WHERE tenant = $1
