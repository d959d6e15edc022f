SELECT CAST(COALESCE(SUM(drift), 0) AS BIGINT) FROM index_reports WHERE tenant = $1
