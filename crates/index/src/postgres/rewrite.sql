VACUUM (FULL) entries
