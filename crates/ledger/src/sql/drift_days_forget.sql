DELETE FROM drift_days WHERE tenant = $1 AND day < $2
