INSERT INTO ledger_checks (tenant, checked_at, position, digest, found) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant) DO UPDATE SET
    checked_at = excluded.checked_at, position = excluded.position, digest = excluded.digest,
    found = excluded.found
