SELECT legacy FROM legacy_rows WHERE tenant = $1 AND place = $2 AND legacy <> $3 AND decision IS NULL
