UPDATE adoptions SET applied_at = $3 WHERE tenant = $1 AND adoption = $2 AND applied_at IS NULL
