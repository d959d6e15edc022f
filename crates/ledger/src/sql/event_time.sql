SELECT recorded_at FROM events WHERE tenant = $1 AND position = $2
