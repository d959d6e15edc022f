SELECT state, COUNT(*) FROM revisions WHERE tenant = $1 GROUP BY state
