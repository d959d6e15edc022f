UPDATE legacy_rows SET decision = $3, note = $4, adoption = $5 WHERE tenant = $1 AND legacy = $2
