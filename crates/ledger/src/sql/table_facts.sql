SELECT fact, kind, scope, COALESCE(slot, ''), CAST(created AS TEXT), CAST(version AS TEXT), head
FROM facts WHERE tenant = $1
