DELETE FROM index_reports WHERE tenant = $1
