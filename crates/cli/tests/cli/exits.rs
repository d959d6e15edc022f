//! Every exit code, brought about for real.

use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use clap::ValueEnum as _;
use truthkeeper_cli::Exit;

use super::script::{Ran, Script};

const NOBODY: &str = "01981f6e-6a1c-7c3e-8f0a-0123456789ab";
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until `done` says so.
#[track_caller]
fn wait_until(mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < PATIENCE, "it takes too long");
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn every_code_has_its_test() {
    let tested = [
        Exit::Ok,
        Exit::Failed,
        Exit::Usage,
        Exit::NotFound,
        Exit::NotPermitted,
        Exit::Changed,
        Exit::InUse,
        Exit::NeedsConfirmation,
        Exit::Interrupted,
    ];
    assert_eq!(Exit::value_variants(), tested);
    let script = Script::new();
    let fact = script.quiet(&["facts", "write", "--type", "acme.note", "--text", "one"]).ok().id();
    script.quiet(&["facts", "restore", &fact]).exits(1).says("error: the fact still stands");
    script.quiet(&["facts", "get", "short"]).exits(2).says("error: fact: must be a full id");
    script.quiet(&["facts", "get", NOBODY]).exits(3).says("error: no such fact");
    let as_bob = ["facts", "delete", &fact, "--as", "user:bob"];
    script.quiet(&as_bob).exits(4).says("error: not permitted");
    let stale = script.quiet(&["facts", "verify", &fact, "--expect-version", "2"]).exits(5);
    assert!(stale.err.contains("its current version is 1"), "{stale:?}");
    script.quiet(&["ledger", "rebuild"]).exits(7).says("hint: repeat it with --yes");
    assert_eq!(script.events(), 1);
}

#[test]
fn a_changed_fact_says_its_version() {
    let script = Script::new();
    let fact = script.quiet(&["facts", "write", "--type", "acme.note", "--text", "one"]).ok().id();
    script.quiet(&["facts", "supersede", &fact, "--text", "two"]).ok();
    for verb in [
        &["facts", "supersede", &fact, "--text", "three"][..],
        &["facts", "verify", &fact],
        &["facts", "delete", &fact],
    ] {
        let stale = script.quiet(&[verb, &["--expect-version", "1", "--json"]].concat()).exits(5);
        assert_eq!(stale.error()["code"], "fact-changed");
        assert_eq!(stale.error()["currentVersion"], 2);
        script.quiet(&[verb, &["--expect-version", "0"]].concat()).exits(2).says("expectVersion");
    }
    assert_eq!(script.events(), 2);
}

fn write_without_waiting(script: &Script, json: &[&str]) -> Ran {
    let words = [&["facts", "write", "--type", "acme.note", "--text", "one"], json].concat();
    Ran::of(script.command(&words).env("MEMORY_BUSY_SECONDS", "0").output().unwrap())
}

/// A store that a load keeps from its first line to its last. A load takes an empty store only, so where our look came
/// before it, another one is tried.
fn kept_by_a_load() -> (Script, Child) {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        let script = Script::new();
        script.quiet(&["facts", "import"]).ok();
        let load = script.spawn(&["ledger", "load", "-", "--yes"]);
        // Longer each time.
        sleep(start.elapsed());
        if write_without_waiting(&script, &[]).code == Some(6) {
            return (script, load);
        }
        drop(load.wait_with_output().unwrap());
    }
    panic!("no load came first");
}

#[test]
fn a_store_that_another_process_keeps_is_in_use() {
    let (script, mut other) = kept_by_a_load();
    let write = |json: &[&str]| write_without_waiting(&script, json);
    assert_eq!(write(&["--json"]).exits(6).error()["code"], "store-busy");
    write(&[]).says("error: ").says("the store is in use by another process").says("MEMORY_BUSY_SECONDS");
    script.quiet(&["ledger", "check"]).ok();
    drop(other.stdin.take());
    Ran::of(other.wait_with_output().unwrap()).exits(1);
    script.quiet(&["facts", "write", "--type", "acme.note", "--text", "one"]).ok();
}

#[cfg(unix)]
#[test]
fn an_interruption_ends_it() {
    let script = Script::new();
    let mut child = script.spawn(&["facts", "import"]);
    let line = "{\"type\":\"acme.note\",\"content\":\"one\"}\n";
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(line.as_bytes()).unwrap();
    wait_until(|| script.quiet(&["facts", "list"]).out.contains("one"));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    Ran::of(child.wait_with_output().unwrap()).exits(130).says("error: interrupted");
    drop(stdin);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let script = Script::new();
    script.quiet(&["facts", "write", "--type", "acme.note", "--text", "one"]).ok();
    for verb in [&["facts", "list"][..], &["facts", "export"], &["ledger", "dump", "-"], &["--help"]] {
        let mut command = script.command(verb);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ran = Ran::of(child.wait_with_output().unwrap()).ok();
        assert!(!ran.err.contains("error"), "{verb:?}: {ran:?}");
    }
}

#[test]
fn a_garbled_index_is_said_and_mended() {
    let script = Script::new();
    script.quiet(&["facts", "write", "--type", "acme.note", "--text", "the shop opens"]).ok();
    let index = script.folder().join("memory.index.db");
    for file in ["memory.index.db", "memory.index.db-wal", "memory.index.db-shm"] {
        drop(std::fs::remove_file(script.folder().join(file)));
    }
    std::fs::write(&index, "this is no database, but it is long enough to be looked at".repeat(100)).unwrap();
    script.quiet(&["recall", "shop"]).exits(1).says("error: the search index is damaged").says("hint: ");
    let write = ["facts", "write", "--type", "acme.note", "--text", "the shop closes"];
    assert!(script.quiet(&write).ok().out.contains("not searchable yet"));
    script.quiet(&["projections", "check"]).exits(1);
    script.quiet(&["projections", "rebuild"]).ok();
    script.quiet(&["projections", "check"]).ok();
    assert!(script.quiet(&["recall", "shop"]).ok().out.contains("the shop opens"));
}

#[test]
fn a_garbled_ledger_is_said() {
    let script = Script::new();
    std::fs::write(script.folder().join("memory.db"), "this is no database at all. ".repeat(300)).unwrap();
    for verb in [&["recall", "x"][..], &["facts", "list"], &["ledger", "check"], &["facts", "export"]] {
        script.quiet(verb).exits(1).says("error: the store is damaged");
    }
}
