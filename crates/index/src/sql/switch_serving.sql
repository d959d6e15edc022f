INSERT INTO serving (id, model) SELECT 1, $1
WHERE NOT EXISTS (
    SELECT 1 FROM entries WHERE NOT EXISTS (
        SELECT 1 FROM vectors WHERE vectors.digest = entries.digest AND vectors.model = $1))
ON CONFLICT (id) DO UPDATE SET model = excluded.model
