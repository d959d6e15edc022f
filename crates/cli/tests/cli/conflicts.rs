//! `memory conflicts` and `memory review`: what an owner sees, and what comes of what the owner says.

use super::script::Script;

const MIA: &str = "user:mia";

/// A store where an agent doubts what Mia drinks. Gives the fact and the conflict.
fn contested() -> (Script, String, String) {
    let script = Script::new();
    let write = ["facts", "write", "--type", "acme.note", "--scope", MIA, "--key", "drink", "--as", MIA];
    let fact = script.quiet(&[&write[..], &["--text", "Mia drinks tea at noon"]].concat()).ok().id();
    let doubt = ["facts", "supersede", &fact, "--as", MIA, "--actor", "agent:desk@2", "--confidence", "0.6"];
    let said = ["--evidence", "run:r7", "--reason", "overheard", "--text", "Mia drinks coffee at noon"];
    script.quiet(&[&doubt[..], &said].concat()).ok();
    let open = script.quiet(&["conflicts", "list", "--as", MIA, "--json"]).ok().json();
    let conflict = open["conflicts"][0]["conflict"].as_str().unwrap().to_owned();
    (script, fact, conflict)
}

#[test]
fn an_owner_settles_a_conflict_and_opens_it_again() {
    let (mut script, fact, conflict) = contested();
    script.run(&["conflicts", "show", &conflict, "--as", MIA]).ok();
    script.run(&["conflicts", "show", &conflict, "--as", MIA, "--json"]).ok();
    let settle = |version: &'static str| ["conflicts", "settle", &conflict, "--expect-conflict", version];
    script.run(&[&settle("7")[..], &["--keep", "2", "--as", MIA]].concat()).exits(5);
    script.run(&[&settle("7")[..], &["--keep", "2", "--as", MIA, "--json"]].concat()).exits(5);
    script.run(&[&settle("1")[..], &["--keep", "2"]].concat()).exits(4);
    script
        .run(&[&settle("1")[..], &["--keep", "2", "--as", MIA, "--actor", "agent:desk@2"]].concat())
        .exits(4);
    script.run(&[&settle("1")[..], &["--keep", "9", "--as", MIA]].concat()).exits(2);
    script.run(&[&settle("1")[..], &["--as", MIA]].concat()).exits(2);
    script.run(&[&settle("1")[..], &["--keep", "2", "--as", MIA, "--note", "it is so"]].concat()).ok();
    script.run(&["recall", "what does Mia drink", "--as", MIA]).ok();
    script.run(&["conflicts", "show", &conflict, "--as", MIA]).ok();
    script.run(&["conflicts", "reopen", &conflict, "--as", MIA]).ok();
    script.run(&["recall", "what does Mia drink", "--as", MIA]).ok();
    script.run(&[&settle("3")[..], &["--text", "Mia drinks cocoa at noon", "--as", MIA]].concat()).ok();
    script.run(&["facts", "revisions", &fact, "--as", MIA]).ok();
    script.run(&["facts", "supersede", &fact, "--text", "Mia drinks milk", "--as", MIA]).ok();
    script.run(&["conflicts", "reopen", &conflict, "--as", MIA]).exits(1);
    script.run(&["ledger", "check"]).ok();
    insta::assert_snapshot!(script.told());
}

#[test]
fn both_are_true() {
    let (mut script, _, conflict) = contested();
    let both = ["conflicts", "settle", &conflict, "--expect-conflict", "1", "--keep", "1", "--as", MIA];
    script.run(&[&both[..], &["--apart", "1"]].concat()).exits(2);
    script.run(&[&both[..], &["--apart", "2"]].concat()).ok();
    script.run(&["facts", "list", "--as", MIA]).ok();
    script.run(&["projections", "check"]).ok();
    insta::assert_snapshot!(script.told());
}

#[test]
fn what_is_said_again_waits_once_and_is_dismissed_for_good() {
    let mut script = Script::new();
    let write = ["facts", "write", "--type", "acme.note", "--scope", MIA, "--text", "Mia sings", "--as", MIA];
    let fact = script.quiet(&write).ok().id();
    script.quiet(&["facts", "forget", &fact, "--as", MIA]).ok();
    let again = |run: &'static str| [&write[..], &["--actor", "agent:desk", "--evidence", run]].concat();
    script.run(&again("run:r1")).ok();
    script.run(&again("run:r2")).ok();
    let waiting = script.quiet(&["review", "list", "--as", MIA, "--json"]).ok().json();
    assert_eq!(waiting["reviews"].as_array().unwrap().len(), 1);
    assert_eq!(waiting["reviews"][0]["evidence"].as_array().unwrap().len(), 2);
    let review = waiting["reviews"][0]["review"].as_str().unwrap().to_owned();
    script.run(&["review", "dismiss", &review, "--as", MIA, "--actor", "agent:desk"]).exits(4);
    script.run(&["review", "dismiss", &review, "--as", MIA]).ok();
    script.run(&again("run:r3")).ok();
    script.run(&["review", "list", "--as", MIA]).ok();
    script.run(&["review", "accept", &review, "--as", MIA]).exits(1);
    insta::assert_snapshot!(script.told());
}

#[test]
fn what_is_said_again_is_taken_back_up() {
    let mut script = Script::new();
    let write = ["facts", "write", "--type", "acme.note", "--scope", MIA, "--text", "Mia sings", "--as", MIA];
    let fact = script.quiet(&write).ok().id();
    script.quiet(&["facts", "forget", &fact, "--as", MIA]).ok();
    script.quiet(&[&write[..], &["--actor", "agent:desk", "--evidence", "run:r1"]].concat()).ok();
    let waiting = script.quiet(&["review", "list", "--as", MIA, "--json"]).ok().json();
    let review = waiting["reviews"][0]["review"].as_str().unwrap().to_owned();
    script.run(&["review", "accept", &review, "--as", MIA]).ok();
    script.run(&["recall", "who sings", "--as", MIA]).ok();
    script.run(&["review", "quarantine", &fact, "--as", MIA]).exits(4);
    script.run(&["review", "quarantine", &fact]).ok();
    script.run(&["recall", "who sings", "--as", MIA]).ok();
    script.run(&["review", "list"]).ok();
    script.run(&["review", "admit", &fact]).ok();
    script.run(&["recall", "who sings", "--as", MIA]).ok();
    insta::assert_snapshot!(script.told());
}

#[test]
fn many_are_forgotten_and_listed() {
    let mut script = Script::new();
    let write = |more: &[&str]| {
        let words = ["facts", "write", "--scope", MIA, "--as", MIA];
        script.quiet(&[&words[..], more].concat()).ok().id()
    };
    write(&["--type", "acme.note", "--text", "Mia has a cat"]);
    write(&["--type", "acme.note", "--text", "Mia has a dog"]);
    write(&["--type", "acme.pet", "--text", "Mia has a bird"]);
    let held = write(&["--type", "acme.note", "--text", "Mia owes money"]);
    script.quiet(&["facts", "hold", &held, "--as", MIA]).ok();
    let theirs = ["facts", "write", "--type", "acme.note", "--text", "all have cats"];
    script.quiet(&theirs).ok();
    let all = ["facts", "forget-all", "--owner", MIA, "--type", "acme.note", "--as", MIA];
    script.run(&all).exits(7);
    script.run(&[&all[..], &["--yes", "--reason", "she asked for it"]].concat()).ok();
    script.run(&[&all[..], &["--yes", "--json"]].concat()).ok();
    script.run(&["forgotten", "list", "--as", MIA]).ok();
    script.run(&["forgotten", "list", "--as", MIA, "--limit", "1", "--json"]).ok();
    script.run(&["facts", "list"]).ok();
    script.run(&["forgotten", "sweep", "--as", MIA]).exits(4);
    script.run(&["forgotten", "sweep"]).ok();
    insta::assert_snapshot!(script.told());
}
