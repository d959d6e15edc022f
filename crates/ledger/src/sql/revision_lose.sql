UPDATE revisions SET settled_at = CASE WHEN valid_from >= $4 THEN -settled_at ELSE settled_at END
WHERE tenant = $1 AND fact = $2 AND revision = $3
