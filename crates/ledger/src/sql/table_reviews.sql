SELECT review, fact, CAST(position AS TEXT), cause, COALESCE(CAST(closed AS TEXT), '') FROM reviews WHERE tenant = $1
