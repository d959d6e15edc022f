DELETE FROM legacy_citations WHERE tenant = $1 AND legacy = $2
