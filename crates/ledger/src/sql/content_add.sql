INSERT INTO contents (tenant, position, doc, body, name, tags, salt) VALUES ($1, $2, $3, $4, $5, $6, $7)
