SELECT day, drift FROM drift_days WHERE tenant = $1 ORDER BY day
