SELECT count(*) FROM scopes
LEFT JOIN (SELECT scope, count(*) AS entries, sum(length) AS length FROM entries GROUP BY scope) AS counted
    ON counted.scope = scopes.id
WHERE scopes.entries <> coalesce(counted.entries, 0) OR scopes.length <> coalesce(counted.length, 0)
