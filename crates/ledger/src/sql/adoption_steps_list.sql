SELECT step, outcome, legacy, fact, revision FROM adoption_steps WHERE tenant = $1 AND adoption = $2 ORDER BY step
