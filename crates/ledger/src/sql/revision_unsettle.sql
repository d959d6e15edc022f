UPDATE revisions SET settled_at = CASE WHEN settled_at > $4 THEN NULL ELSE settled_at END
WHERE tenant = $1 AND fact = $2 AND revision = $3
