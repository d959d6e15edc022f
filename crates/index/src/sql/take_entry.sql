DELETE FROM entries WHERE tenant = $1 AND source = $2 AND fact = $3
RETURNING id, scope, length, digest
