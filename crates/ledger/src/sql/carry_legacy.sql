SELECT legacy, owner, scope, says, place, doc, salt, commitment, imported_at, decision, note, adoption
FROM legacy_rows WHERE tenant = $1 ORDER BY legacy
