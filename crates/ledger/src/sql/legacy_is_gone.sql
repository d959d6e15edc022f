SELECT 1 FROM legacy_gone WHERE tenant = $1 AND legacy = $2
