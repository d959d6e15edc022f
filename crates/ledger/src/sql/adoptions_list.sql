SELECT adoption, scope, reviewer, steps, begun_at, applied_at, rolled_back_at FROM adoptions WHERE tenant = $1
