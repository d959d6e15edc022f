-- Memories from before the ledger, as they were brought in: what they say, and how they stand. No events: they are no facts.
CREATE TABLE legacy_rows (
    tenant TEXT NOT NULL,
    legacy TEXT NOT NULL,
    owner TEXT NOT NULL,
    scope TEXT NOT NULL,
    says TEXT NOT NULL,
    place TEXT,
    doc TEXT NOT NULL,
    salt BLOB NOT NULL,
    commitment BLOB NOT NULL,
    imported_at BIGINT NOT NULL,
    decision TEXT,
    note TEXT,
    adoption TEXT,
    PRIMARY KEY (tenant, legacy)
);
CREATE INDEX legacy_rows_by_owner ON legacy_rows (tenant, owner, legacy);
CREATE INDEX legacy_rows_saying ON legacy_rows (tenant, says);
CREATE INDEX legacy_rows_by_place ON legacy_rows (tenant, place) WHERE place IS NOT NULL;
-- What may still be recalled, which is little once most rows were decided about.
CREATE INDEX legacy_rows_open ON legacy_rows (tenant, legacy)
    WHERE decision IS NULL OR decision IN ('deferred', 'kept');

-- Rows that were let go of, so that no import brings them back.
CREATE TABLE legacy_gone (
    tenant TEXT NOT NULL,
    legacy TEXT NOT NULL,
    PRIMARY KEY (tenant, legacy)
) WITHOUT ROWID;

-- The events whose facts rest on a legacy row.
CREATE TABLE legacy_citations (
    tenant TEXT NOT NULL,
    legacy TEXT NOT NULL,
    position BIGINT NOT NULL,
    PRIMARY KEY (tenant, legacy, position)
) WITHOUT ROWID;

-- Reviews of one owner's legacy rows that were sealed; begun, applied and taken back since, or not.
CREATE TABLE adoptions (
    tenant TEXT NOT NULL,
    adoption TEXT NOT NULL,
    owner TEXT NOT NULL,
    scope TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    steps BIGINT NOT NULL,
    sealed_at BIGINT NOT NULL,
    begun_at BIGINT,
    applied_at BIGINT,
    closing_at BIGINT,
    rolled_back_at BIGINT,
    PRIMARY KEY (tenant, adoption)
) WITHOUT ROWID;
CREATE INDEX adoptions_by_owner ON adoptions (tenant, owner);

-- What each step of one came to.
CREATE TABLE adoption_steps (
    tenant TEXT NOT NULL,
    adoption TEXT NOT NULL,
    step BIGINT NOT NULL,
    outcome TEXT NOT NULL,
    legacy TEXT NOT NULL,
    fact TEXT,
    revision BIGINT,
    done_at BIGINT NOT NULL,
    PRIMARY KEY (tenant, adoption, step)
) WITHOUT ROWID;

-- What a revision says within its owner's facts, whatever its kind, as it is looked up: an older memory says it, too.
ALTER TABLE revisions ADD COLUMN says TEXT;
CREATE INDEX revisions_saying ON revisions (tenant, says) WHERE says IS NOT NULL;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('legacy_rows', 'sqlite_autoindex_legacy_rows_1', '100000 100000 1'),
    ('legacy_rows', 'legacy_rows_by_owner', '100000 100000 1000 1'),
    ('legacy_rows', 'legacy_rows_open', '1000 1000 1'),
    ('legacy_rows', 'legacy_rows_saying', '100000 100000 1'),
    ('legacy_rows', 'legacy_rows_by_place', '100000 100000 1'),
    ('legacy_gone', 'legacy_gone', '100000 100000 1'),
    ('revisions', 'revisions_saying', '1000000 1000000 2'),
    ('legacy_citations', 'legacy_citations', '100000 100000 1 1'),
    ('adoptions', 'adoptions', '1000 1000 1'),
    ('adoptions', 'adoptions_by_owner', '1000 1000 1'),
    ('adoption_steps', 'adoption_steps', '100000 100000 1000 1');
