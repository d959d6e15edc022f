//! `memory duplicates` and `memory facts move`: what an owner makes of facts that say the same, or belong elsewhere.

use super::script::Script;

const MIA: &str = "user:mia";

fn write(script: &Script, text: &str, more: &[&str]) -> String {
    let words = ["facts", "write", "--type", "acme.note", "--scope", MIA, "--as", MIA, "--text", text];
    script.quiet(&[&words[..], more].concat()).ok().id()
}

#[test]
fn what_says_the_same_is_merged_and_split_again() {
    let mut script = Script::new();
    let tea = write(&script, "Mia likes green tea", &["--evidence", "run:r1"]);
    let also = write(&script, "Green tea is what Mia likes", &["--evidence", "run:r2"]);
    let other = write(&script, "Mia has a cat", &[]);
    let stale = format!("{also}@4");
    script.run(&["duplicates", "merge", &tea, &stale, "--as", MIA]).exits(5);
    script.run(&["duplicates", "merge", &tea, &tea, "--as", MIA]).exits(2);
    script.run(&["duplicates", "merge", &tea, "x@y", "--as", MIA]).exits(2);
    script.run(&["duplicates", "merge", &tea, &also]).exits(4);
    script.run(&["duplicates", "merge", &tea, &also, "--as", MIA, "--actor", "agent:desk"]).exits(4);
    let seen = format!("{also}@1");
    script.run(&["duplicates", "merge", &tea, &seen, "--as", MIA]).ok();
    script.run(&["facts", "get", &tea, "--as", MIA]).ok();
    script.run(&["facts", "get", &also, "--as", MIA]).exits(3);
    script.run(&["facts", "supersede", &also, "--text", "milk", "--as", MIA]).exits(3);
    script.run(&["recall", "green tea", "--as", MIA]).ok();
    script.run(&["duplicates", "split", &other, "--as", MIA]).exits(2);
    script.run(&["duplicates", "split", &also, "--as", MIA]).ok();
    script.run(&["facts", "list", "--as", MIA]).ok();
    let merged = script.quiet(&["duplicates", "merge", &tea, &also, "--as", MIA, "--json"]).ok().json();
    assert_eq!(merged["receipt"]["outcome"], "merged");
    assert_eq!(merged["merged"], serde_json::json!([also]));
    assert_eq!(merged["evidence"].as_array().unwrap().len(), 2);
    script.run(&["ledger", "check"]).ok();
    script.run(&["projections", "check"]).ok();
    script.run(&["ledger", "erase", &tea, "--yes", "--as", MIA]).ok();
    insta::assert_snapshot!(script.told());
}

#[test]
fn facts_move_to_another_scope_one_or_several_at_once() {
    let mut script = Script::new();
    let tea = write(&script, "Mia likes green tea", &[]);
    let cat = write(&script, "Mia has a cat", &[]);
    let gone = write(&script, "Mia sings", &[]);
    script.quiet(&["facts", "forget", &gone, "--as", MIA]).ok();
    let theirs = ["facts", "write", "--type", "acme.note", "--text", "Mia has a cat"];
    script.quiet(&theirs).ok();
    // Mia may write her own, and what everybody has is the operator's to write.
    script.run(&["facts", "move", &tea, "--to", "tenant", "--as", MIA]).exits(4);
    let mia = ["--actor", MIA];
    script.run(&[&["facts", "move", &tea, "--to", "nowhere"], &mia[..]].concat()).exits(2);
    script.run(&["facts", "move", &tea, "--to", "tenant"]).exits(4);
    script.run(&[&["facts", "move", &tea, "--to", "tenant"], &mia[..]].concat()).ok();
    script.run(&["facts", "list"]).ok();
    script.run(&[&["facts", "move", &tea, &cat, &gone, "--to", "tenant"], &mia[..]].concat()).exits(1);
    let moved = [&["facts", "move", &tea, &cat, &gone, "--to", "tenant", "--json"], &mia[..]].concat();
    script.run(&moved).exits(1);
    let forgotten = format!("{cat}@1");
    script.run(&["facts", "forget", &tea, &forgotten, "--reason", "tidy"]).ok();
    script.run(&["facts", "forget", &tea, &cat, "--expect-version", "1"]).exits(2);
    script.run(&["ledger", "check"]).ok();
    insta::assert_snapshot!(script.told());
}
