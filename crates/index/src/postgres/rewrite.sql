VACUUM (FULL) entries, vectors
