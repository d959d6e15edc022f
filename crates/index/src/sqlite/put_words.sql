INSERT OR REPLACE INTO words (rowid, readers, terms)
SELECT $1, $2, $3
WHERE NOT EXISTS (SELECT 1 FROM words WHERE rowid = $1 AND readers = $2 AND terms = $3)
