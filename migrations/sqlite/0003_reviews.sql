-- What machines said again of one fact.
CREATE INDEX reviews_by_fact ON reviews (tenant, fact);

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('reviews', 'reviews', '10000 10000 1'),
    ('reviews', 'reviews_by_fact', '10000 10000 2');
