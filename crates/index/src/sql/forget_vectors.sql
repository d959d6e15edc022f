DELETE FROM vectors
WHERE digest = $1 AND NOT EXISTS (SELECT 1 FROM entries WHERE entries.digest = $1)
