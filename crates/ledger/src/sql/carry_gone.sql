SELECT legacy FROM legacy_gone WHERE tenant = $1 ORDER BY legacy
