UPDATE revisions SET settled_at = CASE WHEN ABS(settled_at) > $4 THEN NULL ELSE ABS(settled_at) END
WHERE tenant = $1 AND fact = $2 AND revision = $3
