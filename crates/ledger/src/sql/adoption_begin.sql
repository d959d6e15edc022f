UPDATE adoptions SET begun_at = $3 WHERE tenant = $1 AND adoption = $2 AND begun_at IS NULL
