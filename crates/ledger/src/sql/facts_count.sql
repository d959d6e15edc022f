SELECT (SELECT COUNT(*) FROM facts WHERE tenant = $1) + (SELECT COUNT(*) FROM legacy_rows WHERE tenant = $1)
