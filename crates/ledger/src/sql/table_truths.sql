SELECT fact || '/' || CAST(recorded_at AS TEXT), CAST(position AS TEXT), truth FROM truths WHERE tenant = $1
