SELECT source, revision, digest, rules FROM entries WHERE tenant = $1 AND fact = $2 ORDER BY source
