SELECT DISTINCT scope FROM facts WHERE tenant = $1
UNION
SELECT DISTINCT scope FROM legacy_rows WHERE tenant = $1
