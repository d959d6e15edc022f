-- Keys of the API: what each opens, and a hash of its secret.
CREATE TABLE keys (
    id TEXT NOT NULL PRIMARY KEY,
    tenant TEXT NOT NULL,
    digest BLOB NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
) WITHOUT ROWID;
CREATE INDEX keys_by_tenant ON keys (tenant, created_at);

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('keys', 'keys', '1000 1'),
    ('keys', 'keys_by_tenant', '1000 1000 1');
