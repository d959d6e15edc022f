UPDATE adoptions SET closing_at = $3 WHERE tenant = $1 AND adoption = $2 AND closing_at IS NULL
