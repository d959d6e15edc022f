-- How much of a tenant's copy was known to differ at the last check of each day.
CREATE TABLE drift_days (
    tenant TEXT NOT NULL,
    day BIGINT NOT NULL,
    drift BIGINT NOT NULL,
    PRIMARY KEY (tenant, day)
);
