UPDATE revisions SET settled_at = COALESCE(settled_at, $4) WHERE tenant = $1 AND fact = $2 AND revision = $3
