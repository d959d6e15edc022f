//! Facts out of one store and into another: import, export, dump and load.

use serde_json::Value;

use super::script::{Ran, Script};

#[test]
fn a_bad_line_does_not_stop_the_others() {
    let mut script = Script::new();
    let lines = [
        r#"{"type":"acme.note","content":"one"}"#,
        r#"{"type":"acme.note"}"#,
        "",
        "no json",
        r#"{"type":"acme.note","content":"two","confidence":2}"#,
        r#"{"type":"acme.note","content":"three","colour":"red"}"#,
        r#"{"type":"acme.note","key":"k","content":"four"}"#,
        r#"{"type":"acme.note","key":"k","content":"five"}"#,
        r#"{"type":"acme.note","content":"one"}"#,
        r#"["type"]"#,
        r#"{"type":"acme.note","content":"six","attributedTo":{"kind":"robot"}}"#,
        r#"{"type":"acme.note","content":"seven"}"#,
    ]
    .join("\n");
    script.run_with(&["facts", "import", "-"], &lines).exits(1);
    script.run_with(&["facts", "import", "-", "--json"], &lines).exits(1);
    script.run(&["facts", "list"]).ok();
    insta::assert_snapshot!(script.told());
}

#[test]
fn importing_again_adds_nothing() {
    let script = Script::new();
    let lines = [
        r#"{"type":"acme.note","key":"k","content":"four"}"#,
        r#"{"type":"acme.note","key":"k","content":"five"}"#,
        r#"{"type":"acme.note","content":"said once"}"#,
    ]
    .join("\n");
    script.quiet_with(&["facts", "import"], &lines).ok();
    let events = script.events();
    let again = script.quiet_with(&["facts", "import"], &lines).ok();
    assert_eq!(again.out, "3 lines: 3 imported before\n");
    let others = script.quiet_with(&["facts", "import", "--actor", "operator:other"], &lines).ok();
    assert!(!others.out.contains("created"), "{others:?}");
    assert!(script.quiet(&["facts", "list"]).ok().out.contains("five"));
    assert_eq!(script.events() - events, 2, "another operator's two versions of the keyed fact");
}

#[test]
fn a_line_may_be_odd() {
    let script = Script::new();
    let mut child = script.spawn(&["facts", "import"]);
    let huge = format!("{{\"type\":\"t\",\"content\":\"{}\"}}\n", "x".repeat(5_000_000));
    let last = b"{\"type\":\"t\",\"content\":\"last, without an end of line\"}";
    let input = [huge.as_bytes(), b"\xff\xfe\n", b"\n\n", last].concat();
    let mut stdin = child.stdin.take().unwrap();
    let feeding = std::thread::spawn(move || std::io::Write::write_all(&mut stdin, &input).unwrap());
    let ran = Ran::of(child.wait_with_output().unwrap()).exits(1);
    feeding.join().unwrap();
    let ran = ran.says("line 1: line: is too long").says("line 2: line: is not UTF-8");
    assert_eq!(ran.out, "3 lines: 1 created, 2 failed\n");
}

/// A store with facts of every make.
fn various() -> Script {
    let script = Script::new();
    let write = |words: &[&str]| {
        script.quiet(&[&["facts", "write", "--type", "acme.note"], words].concat()).ok().id()
    };
    write(&["--text", "plain"]);
    write(&[
        "--content",
        "{\"deep\":[1,null,\"\u{202e}\"]}",
        "--tag",
        "b",
        "--tag",
        "a",
        "--confidence",
        "0.25",
    ]);
    write(&["--text", "Ana's", "--scope", "project:desk/participant:ana", "--subject", "participant:ana"]);
    let agent = ["--actor", "agent:desk@1", "--key", "k", "--run-id", "r", "--evidence", "run:r"];
    let kept = write(&[&agent[..], &["--text", "an agent's", "--keep-days", "30"]].concat());
    script.quiet(&["facts", "hold", &kept]).ok();
    write(&[
        "--key",
        "k",
        "--text",
        "a person's, under the same key",
        "--valid-until",
        "2999-01-01T00:00:00Z",
    ]);
    let vouched = write(&["--text", "vouched for", "--observed-at", "2026-01-01T00:00:00Z"]);
    script.quiet(&["facts", "verify", &vouched]).ok();
    let changed = write(&["--text", "first", "--hold"]);
    script.quiet(&["facts", "hold", &changed, "--lift"]).ok();
    script.quiet(&["facts", "supersede", &changed, "--text", "second"]).ok();
    let gone = write(&["--text", "forgotten"]);
    script.quiet(&["facts", "delete", &gone]).ok();
    let doubted = write(&["--text", "doubted"]);
    let doubt = ["facts", "supersede", &doubted, "--actor", "agent:desk@1", "--text", "doubtful"];
    script.quiet(&doubt).ok();
    script
}

/// What a list says of each fact that another store can say as well.
fn comparable(script: &Script) -> Vec<Value> {
    let mut facts = script.quiet(&["facts", "list", "--json"]).ok().json()["facts"].take();
    let facts = facts.as_array_mut().unwrap();
    for fact in facts.iter_mut() {
        let fact = fact.as_object_mut().unwrap();
        for own in ["id", "version", "createdAt", "position", "validFrom", "expiresAt"] {
            fact.remove(own);
        }
        // Nobody hands on that somebody vouched for it.
        if fact["trust"] == "verified" {
            fact["trust"] = "asserted".into();
        }
    }
    std::mem::take(facts)
}

#[test]
fn an_export_says_the_same_elsewhere_and_nothing_new_at_home() {
    let script = various();
    let export =
        script.quiet(&["facts", "export"]).ok().says("exported 7 current facts; open conflicts left out: 1");
    assert_eq!(export.out.lines().count(), 7);
    let events = script.events();
    let home = script.quiet_with(&["facts", "import"], &export.out).ok();
    assert_eq!(home.out, "7 lines: 7 unchanged\n");
    assert_eq!(script.events(), events);

    let elsewhere = Script::new();
    assert_eq!(elsewhere.quiet_with(&["facts", "import"], &export.out).ok().out, "7 lines: 7 created\n");
    assert_eq!(comparable(&elsewhere), comparable(&script));
    let again = elsewhere.quiet(&["facts", "export"]).ok();
    assert_eq!(
        again.out.replace("\"trust\":\"asserted\",", ""),
        export.out.replace("\"trust\":\"asserted\",", "")
    );
}

#[test]
fn a_dump_is_the_whole_history() {
    let mut script = various();
    let mine = script.quiet(&["facts", "list", "--json"]).ok().out;
    script.run(&["ledger", "dump", "history.ndjson"]).ok();
    script.run(&["ledger", "dump", "history.ndjson"]).exits(1);
    script.run(&["ledger", "load", "history.ndjson"]).exits(7);
    script.run(&["ledger", "load", "history.ndjson", "--yes"]).exits(1);
    script.run(&["ledger", "load", "history.ndjson", "--yes", "--db", "new.db"]).ok();
    script.run(&["ledger", "check", "--db", "new.db"]).ok();
    assert_eq!(script.quiet(&["facts", "list", "--json", "--db", "new.db"]).ok().out, mine);
    let piped = script.quiet(&["ledger", "dump", "-"]).ok().out;
    assert_eq!(piped, std::fs::read_to_string(script.folder().join("history.ndjson")).unwrap());
    let half: String = piped.lines().take(5).map(|line| format!("{line}\n")).collect();
    let load = ["ledger", "load", "-", "--yes", "--db", "half.db"];
    script.quiet_with(&load, &half).exits(1).says("ends before its last line");
    script.quiet_with(&load, "nonsense\n").exits(2).says("line 1 of the dump is no line of a dump");
    script.quiet_with(&load, &piped).ok();
    insta::assert_snapshot!(script.told());
}

#[cfg(unix)]
#[test]
fn a_dump_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let script = Script::new();
    script.quiet(&["facts", "write", "--type", "acme.note", "--text", "one"]).ok();
    script.quiet(&["ledger", "dump", "history.ndjson"]).ok();
    let mode = script.folder().join("history.ndjson").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
