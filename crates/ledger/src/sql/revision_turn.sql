UPDATE revisions SET state = $4, turned_at = $5, ended_at = $6 WHERE tenant = $1 AND fact = $2 AND revision = $3
