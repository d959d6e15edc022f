UPDATE legacy_rows SET decision = NULL, note = NULL WHERE tenant = $1 AND legacy = $2 AND adoption = $3
