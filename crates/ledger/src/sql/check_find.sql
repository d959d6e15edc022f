SELECT checked_at, position, digest, found FROM ledger_checks WHERE tenant = $1
