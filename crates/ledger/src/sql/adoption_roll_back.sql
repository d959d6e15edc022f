UPDATE adoptions SET rolled_back_at = $3 WHERE tenant = $1 AND adoption = $2 AND rolled_back_at IS NULL
