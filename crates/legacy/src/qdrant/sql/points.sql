SELECT id, point
FROM points
ORDER BY rowid DESC
