-- What machines said again of one fact.
CREATE INDEX reviews_by_fact ON reviews (tenant, fact);
