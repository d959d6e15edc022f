//! What operators do with the whole ledger.

use super::script::Script;

#[test]
fn what_cannot_be_undone_is_asked_for_twice() {
    let mut script = Script::new();
    let write = ["facts", "write", "--type", "acme.note", "--key", "secret", "--text"];
    let fact = script.run(&[&write[..], &["a secret"]].concat()).ok().id();
    script.run(&[&write[..], &["no secret"]].concat()).ok();
    script.run(&["ledger", "check"]).ok();
    script.run(&["ledger", "check", "--json"]).ok();
    script.run(&["ledger", "rebuild"]).exits(7);
    script.run(&["ledger", "rebuild", "--yes"]).ok();
    script.run(&["ledger", "erase", &fact, "--revision", "1"]).exits(7);
    script.run(&["ledger", "erase", &fact]).exits(7);
    script.run(&["ledger", "erase", &fact, "--revision", "9", "--yes"]).exits(3);
    script.run(&["ledger", "erase", &fact, "--revision", "1", "--yes"]).ok();
    script.run(&["facts", "revisions", &fact]).ok();
    script.run(&["facts", "get", &fact, "--revision", "1", "--json"]).ok();
    script.run(&["ledger", "erase", &fact, "--revision", "1", "--yes"]).exits(3);
    script.run(&["ledger", "check"]).ok();
    insta::assert_snapshot!(script.told());
    for file in std::fs::read_dir(script.folder()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains("a secret"));
    }
}

#[test]
fn the_whole_ledger_is_the_operators() {
    let script = Script::new();
    script.quiet(&["facts", "write", "--type", "acme.note", "--text", "one"]).ok();
    for verb in [
        &["ledger", "check"][..],
        &["ledger", "rebuild", "--yes"],
        &["ledger", "dump", "-"],
        &["ledger", "load", "x", "--yes"],
    ] {
        let ran = script.quiet(&[verb, &["--as", "project:p"]].concat()).exits(4).says("leave out --as");
        assert!(ran.out.is_empty());
    }
}

#[test]
fn a_hold_keeps_a_fact_from_erasure() {
    let script = Script::new();
    let fact = script.quiet(&["facts", "write", "--type", "acme.note", "--text", "one", "--hold"]).ok().id();
    let erase = script.quiet(&["ledger", "erase", &fact, "--yes", "--json"]).exits(1);
    assert_eq!(erase.error()["code"], "legal-hold");
    let supersede = script.quiet(&["facts", "supersede", &fact, "--text", "two", "--json"]).exits(1);
    assert_eq!(supersede.error()["code"], "legal-hold");
}
