UPDATE adoption_steps SET outcome = $4 WHERE tenant = $1 AND adoption = $2 AND step = $3
