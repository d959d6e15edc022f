SELECT CAST(position AS TEXT), CAST(erased_by AS TEXT) FROM erasures WHERE tenant = $1
