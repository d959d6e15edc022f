-- What was shown to whom: kept for a while, outside the events.
CREATE TABLE receipts (
    tenant TEXT NOT NULL,
    receipt TEXT NOT NULL,
    recalled_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    reader TEXT NOT NULL,
    query TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (tenant, receipt)
);
CREATE INDEX receipts_by_end ON receipts (tenant, expires_at);
