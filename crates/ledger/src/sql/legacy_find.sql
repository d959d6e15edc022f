SELECT l.legacy, l.scope, l.doc, l.salt, l.commitment, l.imported_at, l.decision, l.note,
    (SELECT COUNT(*) FROM legacy_citations c WHERE c.tenant = l.tenant AND c.legacy = l.legacy),
    (SELECT COUNT(*) FROM adoptions a
     WHERE a.tenant = l.tenant AND a.owner = l.owner AND a.begun_at IS NOT NULL),
    (SELECT COUNT(*) FROM adoptions a
     WHERE a.tenant = l.tenant AND a.adoption = l.adoption AND a.rolled_back_at IS NOT NULL),
    (SELECT COUNT(*) FROM revisions r WHERE r.tenant = l.tenant AND r.says = l.says),
    l.owner, l.says, l.adoption
FROM legacy_rows l
WHERE l.tenant = $1 AND l.legacy = $2
