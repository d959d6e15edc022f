SELECT legacy FROM legacy_rows WHERE tenant = $1 AND says = $2
