DELETE FROM words WHERE rowid = $1
