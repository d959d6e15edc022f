INSERT INTO form (form) VALUES ($1)
