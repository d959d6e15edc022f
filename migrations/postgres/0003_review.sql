-- What machines said again of one fact.
CREATE INDEX reviews_by_fact ON reviews (tenant, fact);

-- What runs out by the clock.
CREATE INDEX revisions_by_end ON revisions (tenant, valid_until) WHERE state = 'active' AND valid_until IS NOT NULL;
