-- Memories from before the ledger, as they were brought in: what they say, and how they stand. No events: they are no facts.
CREATE TABLE legacy_rows (
    tenant TEXT NOT NULL,
    legacy TEXT NOT NULL,
    owner TEXT NOT NULL,
    scope TEXT NOT NULL,
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
-- What may still be recalled, which is little once most rows were decided about.
CREATE INDEX legacy_rows_open ON legacy_rows (tenant, legacy)
    WHERE decision IS NULL OR decision IN ('deferred', 'kept');

-- The events whose facts rest on a legacy row.
CREATE TABLE legacy_citations (
    tenant TEXT NOT NULL,
    legacy TEXT NOT NULL,
    position BIGINT NOT NULL,
    PRIMARY KEY (tenant, legacy, position)
) WITHOUT ROWID;

-- Reviews of one owner's legacy rows that were applied, or have begun to be.
CREATE TABLE adoptions (
    tenant TEXT NOT NULL,
    adoption TEXT NOT NULL,
    owner TEXT NOT NULL,
    scope TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    steps BIGINT NOT NULL,
    begun_at BIGINT NOT NULL,
    applied_at BIGINT,
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

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('legacy_rows', 'sqlite_autoindex_legacy_rows_1', '100000 100000 1'),
    ('legacy_rows', 'legacy_rows_by_owner', '100000 100000 1000 1'),
    ('legacy_rows', 'legacy_rows_open', '1000 1000 1'),
    ('legacy_citations', 'legacy_citations', '100000 100000 1 1'),
    ('adoptions', 'adoptions', '1000 1000 1'),
    ('adoptions', 'adoptions_by_owner', '1000 1000 1'),
    ('adoption_steps', 'adoption_steps', '100000 100000 1000 1');
