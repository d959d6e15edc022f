DELETE FROM words WHERE rowid NOT IN (SELECT id FROM entries)
