SELECT fact || '/' || CAST(revision AS TEXT), CAST(position AS TEXT), CAST(recorded_at AS TEXT), state,
    CAST(turned_at AS TEXT), COALESCE(CAST(ended_at AS TEXT), ''), COALESCE(CAST(settled_at AS TEXT), ''),
    CAST(valid_from AS TEXT), COALESCE(CAST(valid_until AS TEXT), ''), COALESCE(statement, ''),
    COALESCE(says, '')
FROM revisions WHERE tenant = $1
