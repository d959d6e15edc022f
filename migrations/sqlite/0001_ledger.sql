CREATE TABLE tenants (
    tenant TEXT NOT NULL PRIMARY KEY,
    position BIGINT NOT NULL,
    digest BLOB NOT NULL,
    recorded_at BIGINT NOT NULL,
    secret BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE events (
    tenant TEXT NOT NULL,
    position BIGINT NOT NULL,
    fact TEXT NOT NULL,
    revision BIGINT NOT NULL,
    version BIGINT NOT NULL,
    body TEXT NOT NULL,
    actor TEXT NOT NULL,
    recorded_at BIGINT NOT NULL,
    request TEXT,
    commitment BLOB,
    previous BLOB NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (tenant, position)
) WITHOUT ROWID;
CREATE INDEX events_by_fact ON events (tenant, fact, revision, position);

CREATE TABLE contents (
    tenant TEXT NOT NULL,
    position BIGINT NOT NULL,
    doc TEXT NOT NULL,
    body TEXT NOT NULL,
    name TEXT NOT NULL,
    tags TEXT NOT NULL,
    salt BLOB NOT NULL,
    PRIMARY KEY (tenant, position)
);

CREATE TABLE erasures (
    tenant TEXT NOT NULL,
    position BIGINT NOT NULL,
    erased_by BIGINT NOT NULL,
    PRIMARY KEY (tenant, position)
) WITHOUT ROWID;

CREATE TABLE facts (
    tenant TEXT NOT NULL,
    fact TEXT NOT NULL,
    kind TEXT NOT NULL,
    scope TEXT NOT NULL,
    slot TEXT,
    created BIGINT NOT NULL,
    version BIGINT NOT NULL,
    head TEXT NOT NULL,
    PRIMARY KEY (tenant, fact)
) WITHOUT ROWID;
CREATE UNIQUE INDEX facts_by_slot ON facts (tenant, slot) WHERE slot IS NOT NULL;

CREATE TABLE access (
    tenant TEXT NOT NULL,
    token TEXT NOT NULL,
    fact TEXT NOT NULL,
    PRIMARY KEY (tenant, token, fact)
) WITHOUT ROWID;

CREATE TABLE revisions (
    tenant TEXT NOT NULL,
    fact TEXT NOT NULL,
    revision BIGINT NOT NULL,
    position BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    state TEXT NOT NULL,
    turned_at BIGINT NOT NULL,
    ended_at BIGINT,
    settled_at BIGINT,
    valid_from BIGINT NOT NULL,
    valid_until BIGINT,
    statement TEXT,
    PRIMARY KEY (tenant, fact, revision)
) WITHOUT ROWID;
CREATE UNIQUE INDEX revisions_by_position ON revisions (tenant, position);
CREATE INDEX revisions_by_statement ON revisions (tenant, statement) WHERE statement IS NOT NULL;
CREATE INDEX revisions_by_state ON revisions (tenant, state);

CREATE TABLE truths (
    tenant TEXT NOT NULL,
    fact TEXT NOT NULL,
    recorded_at BIGINT NOT NULL,
    position BIGINT NOT NULL,
    truth TEXT NOT NULL,
    PRIMARY KEY (tenant, fact, recorded_at)
) WITHOUT ROWID;

CREATE TABLE conflicts (
    tenant TEXT NOT NULL,
    conflict TEXT NOT NULL,
    fact TEXT NOT NULL,
    anchor TEXT NOT NULL,
    people TEXT,
    opened BIGINT NOT NULL,
    opened_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    closed BIGINT,
    PRIMARY KEY (tenant, conflict)
) WITHOUT ROWID;
CREATE INDEX conflicts_open ON conflicts (tenant, anchor) WHERE closed IS NULL;
CREATE INDEX conflicts_open_people ON conflicts (tenant, people) WHERE closed IS NULL;

CREATE TABLE reviews (
    tenant TEXT NOT NULL,
    review TEXT NOT NULL,
    fact TEXT NOT NULL,
    position BIGINT NOT NULL,
    cause TEXT NOT NULL,
    closed BIGINT,
    PRIMARY KEY (tenant, review)
) WITHOUT ROWID;

CREATE TABLE requests (
    tenant TEXT NOT NULL,
    request TEXT NOT NULL,
    digest BLOB NOT NULL,
    answer TEXT NOT NULL,
    recorded_at BIGINT NOT NULL,
    PRIMARY KEY (tenant, request)
) WITHOUT ROWID;

CREATE TABLE operations (
    tenant TEXT NOT NULL,
    copy TEXT NOT NULL,
    fact TEXT NOT NULL,
    wanted BIGINT NOT NULL,
    unanswered BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    holder TEXT,
    epoch BIGINT NOT NULL,
    error TEXT,
    PRIMARY KEY (tenant, copy, fact)
) WITHOUT ROWID;
CREATE INDEX operations_due ON operations (copy, due_at);

CREATE TABLE audits (
    tenant TEXT NOT NULL,
    read_at BIGINT NOT NULL,
    reader TEXT NOT NULL,
    act TEXT NOT NULL,
    fact TEXT
);
CREATE INDEX audits_by_time ON audits (tenant, read_at);

CREATE TRIGGER events_never_change BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER events_never_go BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
CREATE TRIGGER contents_never_change BEFORE UPDATE ON contents
BEGIN SELECT RAISE(ABORT, 'contents are never changed'); END;
CREATE TRIGGER contents_go_by_erasure BEFORE DELETE ON contents
WHEN NOT EXISTS (SELECT 1 FROM erasures e WHERE e.tenant = OLD.tenant AND e.position = OLD.position)
BEGIN SELECT RAISE(ABORT, 'contents go only by an erasure'); END;
-- INSERT OR REPLACE deletes without asking the triggers above.
CREATE TRIGGER events_never_give_way BEFORE INSERT ON events
WHEN EXISTS (SELECT 1 FROM events e WHERE e.tenant = NEW.tenant AND e.position = NEW.position)
BEGIN SELECT RAISE(ABORT, 'events are never replaced'); END;
CREATE TRIGGER contents_never_give_way BEFORE INSERT ON contents
WHEN EXISTS (SELECT 1 FROM contents c WHERE c.tenant = NEW.tenant AND c.position = NEW.position)
BEGIN SELECT RAISE(ABORT, 'contents are never replaced'); END;

-- The planner's statistics, by hand and for good: without them SQLite takes a tenant to be some ten rows and walks
-- all of it, where an index would lead to one fact.
ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('events', 'events', '1000000 1000000 1'),
    ('events', 'events_by_fact', '1000000 1000000 4 2 1'),
    ('contents', 'sqlite_autoindex_contents_1', '1000000 1000000 1'),
    ('facts', 'facts', '1000000 1000000 1'),
    ('facts', 'facts_by_slot', '100000 100000 1'),
    ('access', 'access', '1000000 1000000 1000 1'),
    ('revisions', 'revisions', '1000000 1000000 2 1'),
    ('revisions', 'revisions_by_position', '1000000 1000000 1'),
    ('revisions', 'revisions_by_statement', '1000000 1000000 2'),
    ('revisions', 'revisions_by_state', '1000000 1000000 200000'),
    ('truths', 'truths', '1000000 1000000 2 1'),
    ('conflicts', 'conflicts', '10000 10000 1'),
    ('conflicts', 'conflicts_open', '1000 1000 10'),
    ('conflicts', 'conflicts_open_people', '1000 1000 10'),
    ('operations', 'operations', '1000 1000 1000 1'),
    ('operations', 'operations_due', '1000 1000 2');
