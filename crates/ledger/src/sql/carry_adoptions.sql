SELECT adoption, owner, scope, reviewer, steps, begun_at, applied_at, rolled_back_at
FROM adoptions WHERE tenant = $1 ORDER BY begun_at, adoption
