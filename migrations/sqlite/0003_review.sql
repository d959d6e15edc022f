-- What machines said again of one fact.
CREATE INDEX reviews_by_fact ON reviews (tenant, fact);

-- What runs out by the clock.
CREATE INDEX revisions_by_end ON revisions (tenant, valid_until) WHERE state = 'active' AND valid_until IS NOT NULL;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('reviews', 'reviews', '10000 10000 1'),
    ('reviews', 'reviews_by_fact', '10000 10000 2'),
    ('revisions', 'revisions_by_end', '1000 1000 1');
