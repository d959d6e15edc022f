SELECT adoption, step, outcome, legacy, fact, revision, done_at
FROM adoption_steps WHERE tenant = $1 ORDER BY adoption, step
