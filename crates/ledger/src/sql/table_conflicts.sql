SELECT conflict, fact, anchor, COALESCE(people, ''), CAST(opened AS TEXT), CAST(opened_at AS TEXT),
    CAST(version AS TEXT), COALESCE(CAST(closed AS TEXT), '')
FROM conflicts WHERE tenant = $1
