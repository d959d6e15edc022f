UPDATE revisions SET settled_at = NULL WHERE tenant = $1 AND fact = $2 AND settled_at > $3
