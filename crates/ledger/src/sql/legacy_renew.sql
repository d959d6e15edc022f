UPDATE legacy_rows SET doc = $3, salt = $4, commitment = $5
WHERE tenant = $1 AND legacy = $2 AND decision IS NULL AND doc <> $3
