SELECT legacy, position FROM legacy_citations WHERE tenant = $1 ORDER BY position, legacy
