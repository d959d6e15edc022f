//! The searchable copy as an operator sees it: while all is well, when it drifted, and when it fails.

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};

use super::script::Script;

/// Five facts of Ann's.
fn script() -> Script {
    let script = Script::new();
    for text in ["green tea", "black tea", "coffee", "milk", "water"] {
        let words = ["facts", "write", "--type", "acme.note", "--scope", "user:ann", "--text", text];
        script.quiet(&words).ok();
    }
    script
}

/// Changes the index as nobody should.
fn meddle(script: &Script, statement: &'static str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let file = script.folder().join("memory.index.db");
        let mut index = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
        sqlx::raw_sql(statement).execute(&mut index).await.unwrap();
        index.close().await.unwrap();
    });
}

const POISON: &str = "CREATE TRIGGER poison BEFORE INSERT ON entries WHEN NEW.kind = 'acme.poison'
    BEGIN SELECT RAISE(ABORT, 'no'); END";

/// The transcript without the seconds that passed.
fn told(script: &Script) -> String {
    let mut told = String::new();
    for line in script.told().lines() {
        let line = match line.split_once("checked ") {
            Some((before, after)) if after.contains(" s ago") => {
                format!("{before}checked [n]{}", after.trim_start_matches(|c: char| c.is_ascii_digit()))
            }
            _ => line.to_owned(),
        };
        told.push_str(&line);
        told.push('\n');
    }
    told
}

// PRJ-01, 51: five rows are gone, and nobody said so
#[test]
fn drift_is_found_named_and_mended() {
    let mut script = script();
    script.run(&["projections", "status"]).ok();
    script.run(&["projections", "check"]).ok();
    script.run(&["projections", "status", "--check"]).ok();
    meddle(
        &script,
        "DELETE FROM entries WHERE id = 1; DELETE FROM words WHERE rowid = 2; UPDATE entries SET revision = 7 WHERE id = 3",
    );
    script.run(&["projections", "check"]).exits(1);
    script.run(&["projections", "status", "--check"]).exits(1);
    script.run(&["recall", "tea"]).ok();
    script.run(&["projections", "repair"]).ok();
    script.run(&["projections", "status", "--check"]).ok();
    script.run(&["recall", "green"]).ok();
    insta::assert_snapshot!(told(&script));
}

#[test]
fn an_index_that_was_wiped_lacks_every_fact() {
    let script = script();
    for file in ["memory.index.db", "memory.index.db-wal", "memory.index.db-shm"] {
        drop(std::fs::remove_file(script.folder().join(file)));
    }
    let found = script.quiet(&["projections", "check", "--json"]).exits(1);
    let json: serde_json::Value = serde_json::from_str(&found.out).unwrap();
    assert_eq!((&json["clean"], &json["drift"]["missing"]), (&false.into(), &5.into()));
    script.quiet(&["projections", "repair", "--owner", "user:ann"]).ok();
    script.quiet(&["projections", "check"]).ok();
}

// CLI-04, 41, 43, 46: a retry that does part of its work says so
#[test]
fn a_retry_says_what_is_done_and_what_is_not() {
    let mut script = script();
    meddle(&script, POISON);
    for (owner, text) in [("user:ann", "a secret of ann"), ("user:bob", "a secret of bob")] {
        let words = ["facts", "write", "--type", "acme.poison", "--scope", owner, "--text", text];
        script.quiet(&words).ok();
    }
    script.run(&["projections", "status"]).ok();
    // Both wait for their second attempt; here time does not pass by itself.
    fail(&script);
    script.run(&["projections", "status"]).ok();
    script.run(&["projections", "status", "--check"]).exits(1);
    script.run(&["projections", "retry"]).exits(1);
    script.run(&["projections", "retry", "--owner", "user:bob", "--json"]).exits(1);
    script.run(&["projections", "retry", "--principal", "user:carl"]).exits(1);
    meddle(&script, "DROP TRIGGER poison");
    script.run(&["projections", "retry", "--owner", "user:bob"]).ok();
    script.run(&["projections", "retry"]).ok();
    script.run(&["recall", "secret", "--as", "user:ann"]).ok();
    assert!(!script.told().split("recall").next().unwrap().contains("a secret"));
    insta::assert_snapshot!(told(&script));
}

/// Uses up the attempts of everything that failed.
fn fail(script: &Script) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let file = script.folder().join("memory.db");
        let mut ledger = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
        let used = "UPDATE operations SET attempts = 3 WHERE error IS NOT NULL";
        sqlx::raw_sql(used).execute(&mut ledger).await.unwrap();
        ledger.close().await.unwrap();
    });
}

#[test]
fn only_the_operator_sees_to_the_copy() {
    let script = script();
    for verb in ["status", "retry", "check", "repair", "rebuild"] {
        script.quiet(&["projections", verb, "--as", "user:ann"]).exits(4);
    }
    script.quiet(&["projections", "retry", "short"]).exits(2);
    script.quiet(&["projections", "status", "--check", "--watch"]).exits(2);
}
