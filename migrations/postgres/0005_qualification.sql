-- How the last check of each tenant's ledger ended, and which event it reached.
CREATE TABLE ledger_checks (
    tenant TEXT NOT NULL PRIMARY KEY,
    checked_at BIGINT NOT NULL,
    position BIGINT NOT NULL,
    digest TEXT NOT NULL,
    found BIGINT NOT NULL
);

-- The engine's defaults: which backend, model and so on a channel, agent or runtime takes.
CREATE TABLE settings (
    tenant TEXT NOT NULL,
    channel TEXT NOT NULL,
    agent TEXT NOT NULL,
    runtime TEXT NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (tenant, channel, agent, runtime, field)
);
