-- Since when an operation has failed, without having been done in between.
ALTER TABLE operations ADD COLUMN failing_since BIGINT;

-- The last drift that was found for each owner, and how often the copy had changed for that owner then.
CREATE TABLE index_reports (
    tenant TEXT NOT NULL,
    owner TEXT NOT NULL,
    checked_at BIGINT NOT NULL,
    changes BIGINT NOT NULL,
    report TEXT NOT NULL,
    drift BIGINT NOT NULL,
    PRIMARY KEY (tenant, owner)
);

-- How often the copy was changed for each owner.
CREATE TABLE index_changes (
    tenant TEXT NOT NULL,
    owner TEXT NOT NULL,
    changes BIGINT NOT NULL,
    PRIMARY KEY (tenant, owner)
);
