SELECT tenant FROM tenants
UNION SELECT tenant FROM events
UNION SELECT tenant FROM contents
UNION SELECT tenant FROM facts
UNION SELECT tenant FROM access
UNION SELECT tenant FROM revisions
UNION SELECT tenant FROM truths
UNION SELECT tenant FROM conflicts
UNION SELECT tenant FROM reviews
UNION SELECT tenant FROM erasures
