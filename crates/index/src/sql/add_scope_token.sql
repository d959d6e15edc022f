INSERT INTO scope_tokens (token, scope) VALUES ($1, $2)
