//! Limits of the doctor's rules, on both sides.

use fact::{Id, Timestamp};
use ledger::EngineFacts;

use crate::machine::{clock, engine, permissions, room};

fn facts(name: &'static str, version: &str, journal: &str) -> EngineFacts {
    let settings = vec![("journal_mode", journal.to_owned(), "wal")];
    EngineFacts { name, version: version.to_owned(), settings }
}

#[test]
fn versions_are_compared_by_their_numbers() {
    for (name, version, old) in [
        ("SQLite", "3.51.3", false),
        ("SQLite", "3.51.2", true),
        ("SQLite", "3.100.0", false),
        ("SQLite", "3.9", true),
        ("PostgreSQL", "15", false),
        ("PostgreSQL", "18.6 (Debian 18.6-1)", false),
        ("PostgreSQL", "14.9", true),
    ] {
        assert_eq!(engine(&facts(name, version, "wal")).len(), usize::from(old), "{name} {version}");
    }
    let found = engine(&facts("SQLite", "3.51.3", "delete"));
    assert_eq!(found[0].to_string(), "journal_mode is delete, and must be wal");
}

#[test]
fn a_file_is_open_to_others_where_its_folder_is_too() {
    let open = |file, folder| permissions("memory.db", file, folder).is_some();
    assert!(open(0o644, 0o755) && open(0o604, 0o701) && open(0o620, 0o710));
    assert!(!open(0o600, 0o755) && !open(0o644, 0o700) && !open(0o700, 0o777));
}

#[test]
fn room_and_clock_have_a_limit() {
    let least = 256 << 20;
    assert!(room("/", least).is_none() && room("/", least - 1).is_some());
    let tenant = Id::parse("tenant", "local").unwrap();
    let behind = |micros| clock(&tenant, Timestamp::from_micros(0), Timestamp::from_micros(micros)).is_some();
    assert!(!behind(5_999_999) && behind(6_000_000) && !behind(-60_000_000));
}
