//! Which codes of an engine mean what.

use super::{IndexError, of_postgres, of_sqlite};

fn word(error: &IndexError) -> &'static str {
    match error {
        IndexError::Unreachable(_) => "unreachable",
        IndexError::Refused(_) => "refused",
        IndexError::Corrupt(_) => "corrupt",
        IndexError::OtherForm { .. } => "other form",
    }
}

#[test]
fn sqlite_codes() {
    for (code, expected) in [
        ("5", "unreachable"),  // busy
        ("10", "unreachable"), // i/o
        ("13", "unreachable"), // full
        ("14", "unreachable"), // cannot open
        ("1", "corrupt"),      // no such table
        ("11", "corrupt"),
        ("267", "corrupt"),  // corrupt virtual table
        ("26", "corrupt"),   // not a database
        ("18", "refused"),   // too big
        ("2067", "refused"), // unique
        ("", "unreachable"),
    ] {
        assert_eq!(word(&of_sqlite(code)), expected, "{code}");
    }
}

#[test]
fn postgres_codes() {
    for (code, expected) in [
        ("08006", "unreachable"), // connection failure
        ("28P01", "unreachable"), // wrong password
        ("3D000", "unreachable"), // no such database
        ("40P01", "unreachable"), // deadlock
        ("42501", "unreachable"), // no rights
        ("53100", "unreachable"), // disk full
        ("55P03", "unreachable"), // lock not available
        ("57P01", "unreachable"), // shut down
        ("42P01", "corrupt"),     // no such table
        ("XX001", "corrupt"),
        ("22021", "refused"), // NUL in text
        ("23505", "refused"), // unique
        ("54000", "refused"), // too large
        ("XX000", "refused"),
        ("", "unreachable"),
    ] {
        assert_eq!(word(&of_postgres(code)), expected, "{code}");
    }
}

#[test]
fn a_driver_error_leaves_its_words_behind() {
    let error = IndexError::from(sqlx::Error::Protocol("secret words".to_owned()));
    assert!(!format!("{error} {error:?}").contains("secret"));
}
