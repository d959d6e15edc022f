-- Keys of the API: what each opens, and a hash of its secret.
CREATE TABLE keys (
    id TEXT NOT NULL PRIMARY KEY,
    tenant TEXT NOT NULL,
    digest BYTEA NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
);
CREATE INDEX keys_by_tenant ON keys (tenant, created_at);
