SELECT to_regclass('truthkeeper_index.form') IS NOT NULL
