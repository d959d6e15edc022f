INSERT INTO drift_days (tenant, day, drift)
SELECT CAST($1 AS TEXT), CAST($2 AS BIGINT), CAST(COALESCE(SUM(drift), 0) AS BIGINT) FROM index_reports WHERE tenant = $1
ON CONFLICT (tenant, day) DO UPDATE SET drift = excluded.drift
