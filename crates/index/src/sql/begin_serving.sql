INSERT INTO serving (id, model) VALUES (1, $1) ON CONFLICT (id) DO NOTHING
