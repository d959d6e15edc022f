SELECT owner FROM legacy_rows WHERE tenant = $1 AND legacy = $2
