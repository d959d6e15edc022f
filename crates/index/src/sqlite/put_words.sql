INSERT INTO words (rowid, readers, terms) VALUES ($1, $2, $3)
