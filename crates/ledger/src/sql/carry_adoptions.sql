SELECT adoption, owner, scope, reviewer, steps, sealed_at, begun_at, applied_at, closing_at, rolled_back_at
FROM adoptions WHERE tenant = $1 ORDER BY sealed_at, adoption
