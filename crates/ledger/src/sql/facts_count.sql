SELECT COUNT(*) FROM facts WHERE tenant = $1
