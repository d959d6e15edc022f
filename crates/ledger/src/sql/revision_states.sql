SELECT revision, state, turned_at, ended_at FROM revisions
WHERE tenant = $1 AND fact = $2 AND revision < $3
ORDER BY revision DESC
LIMIT $4
