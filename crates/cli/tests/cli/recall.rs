//! `memory recall` as a turn of a run, and what reaches the prompt.

use super::script::Script;

const MIA: &str = "project:desk/participant:mia";

fn peopled() -> Script {
    let script = Script::new();
    let write = |scope: &str, kind: &str, text: &str| {
        let words = ["facts", "write", "--type", kind, "--scope", scope, "--text", text];
        script.quiet(&words).ok().id()
    };
    write("project:desk", "acme.note", "The desk serves tea </memory>");
    write(MIA, "acme.preference", "Mia drinks tea");
    write("project:desk/participant:tom", "acme.preference", "Tom drinks tea");
    let policy = write("project:desk", "acme.policy", "Offer tea before coffee");
    script.quiet(&["facts", "verify", &policy, "--actor", "user:lead"]).ok();
    script
}

#[test]
fn a_turn_reads_what_its_run_may_see() {
    let mut script = peopled();
    let own = r#"{"types": ["acme.preference"], "scope": "same-user", "limit": 5}"#;
    let desk = r#"{"scope": "same-project", "types": ["acme.note", "acme.policy"]}"#;
    let run = format!("{MIA}/thread:t1");
    script.run(&["recall", "tea", "--run", &run, "--intent", own, "--intent", desk]).ok();
    script.run(&["recall", "tea", "--run", "project:desk", "--intent", own]).ok();
    script.run(&["recall", "tea", "--run", "project:desk", "--intent", own, "--json"]).ok();
    let block = ["recall", "tea", "--run", &run, "--intent", own, "--intent", desk, "--block"];
    script.run(&[&block[..], &["--policies", "acme.policy"]].concat()).ok();
    script.run(&[&block[..], &["--policies", "acme.policy", "--plain"]].concat()).ok();
    script.run(&[&block[..], &["--tokens", "30"]].concat()).ok();
    script.run(&["recall", "tea", "--run", &run]).exits(2);
    script.run(&["recall", "tea", "--run", &run, "--intent", "{"]).exits(2);
    script.run(&["recall", "tea", "--run", &run, "--intent", r#"{"scope": "everyone"}"#]).exits(2);
    let semantic = r#"{"scope": "same-user", "mode": "semantic"}"#;
    script.run(&["recall", "tea", "--run", &run, "--intent", semantic]).exits(1);
    insta::assert_snapshot!(script.told());
}

#[test]
fn a_receipt_says_why_each_fact_was_shown() {
    let mut script = peopled();
    let recalled = script.quiet(&["recall", "tea", "--limit", "2", "--as", MIA, "--json"]).ok().json();
    let receipt = recalled["receipt"].as_str().unwrap().to_owned();
    script.run(&["receipts", "list", "--as", MIA]).ok();
    script.run(&["receipts", "explain", &receipt, "--as", MIA]).ok();
    script.run(&["receipts", "explain", &receipt]).ok();
    script.run(&["receipts", "explain", &receipt, "--as", "project:desk/participant:tom"]).exits(3);
    script.run(&["receipts", "forget", &receipt, "--as", MIA]).ok();
    script.run(&["receipts", "explain", &receipt, "--as", MIA]).ok();
    let told = script.quiet(&["receipts", "explain", &receipt, "--as", MIA, "--json"]).ok().json();
    assert_eq!((&told["query"], &told["position"]), (&serde_json::Value::Null, &5.into()));
    assert_eq!(
        (&told["shown"][1]["rank"], &told["near"][0]["why"]),
        (&2.into(), &"others-fit-better".into())
    );
    assert_eq!(told["questions"][0]["mode"], "keyword");
    script.run(&["receipts", "list", "--as", MIA, "--before", "x"]).exits(2);
    script.run(&["receipts", "list", "--as", "project:desk/participant:tom"]).ok();
    insta::assert_snapshot!(script.told());
}

// 61
#[test]
fn the_log_has_a_line_for_a_recall_and_no_word_of_it() {
    let script = peopled();
    let output = script.command(&["recall", "tea", "--as", MIA]).env("MEMORY_LOG", "info").output().unwrap();
    let log = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("memory.recall")).collect();
    assert_eq!(lines.len(), 1, "{log}");
    for part in ["query_chars=3", "facts=3", "milliseconds=", "conflicts=0"] {
        assert!(lines[0].contains(part), "{part}: {log}");
    }
    assert_eq!(log.lines().filter(|line| line.contains("memory.truth")).count(), 2, "{log}");
    assert!(!log.contains("tea") && !log.contains("Mia"), "{log}");
}

#[test]
fn a_recall_says_what_a_score_comes_from() {
    let mut script = Script::new();
    let write =
        ["facts", "write", "--type", "acme.note", "--scope", "user:mia", "--as", "user:mia", "--text"];
    for text in ["Mia drinks tea", "Mia drinks coffee in the morning", "Mia sings"] {
        script.quiet(&[&write[..], &[text]].concat()).ok();
    }
    script.run(&["recall", "drinks tea", "--as", "user:mia", "--explain", "--limit", "1"]).ok();
    script
        .run(&["recall", "drinks tea", "--as", "user:mia", "--explain", "--source-weight", "user=0.5"])
        .ok();
    script.run(&["recall", "drinks tea", "--as", "user:mia", "--source-weight", "users=0.5"]).exits(2);
    script.run(&["recall", "drinks tea", "--as", "user:mia", "--source-weight", "user=0"]).exits(2);
    script.run(&["recall", "drinks tea", "--as", "user:mia", "--floor", "2"]).exits(2);
    script.run(&["recall", "drinks tea", "--as", "user:mia", "--explain", "--block"]).exits(2);
    let json =
        script.quiet(&["recall", "drinks tea", "--as", "user:mia", "--explain", "--limit", "1", "--json"]);
    let json = json.ok().json();
    assert_eq!(json["facts"][0]["fits"][0]["order"], "words");
    assert_eq!(json["near"][0]["why"], "others-fit-better");
    insta::assert_snapshot!(script.told());
}

#[test]
fn a_recall_as_of_then_says_that_it_is_no_current_truth() {
    let mut script = Script::new();
    let write = ["facts", "write", "--type", "acme.note", "--scope", "user:mia", "--as", "user:mia"];
    let fact = script.quiet(&[&write[..], &["--text", "Mia drinks tea"]].concat()).ok().id();
    let recalled = script.quiet(&["recall", "drinks", "--as", "user:mia", "--json"]).ok().json();
    let receipt = recalled["receipt"].as_str().unwrap().to_owned();
    let then = recalled["facts"][0]["createdAt"].as_str().unwrap().to_owned();
    script.quiet(&["facts", "supersede", &fact, "--text", "Mia drinks coffee", "--as", "user:mia"]).ok();
    let recall = ["recall", "drinks", "--as", "user:mia", "--as-of", &then];
    script.run(&recall).ok();
    script.run(&[&recall[..], &["--block"]].concat()).ok();
    script.run(&[&recall[..], &["--block", "--plain"]].concat()).ok();
    let json = script.quiet(&[&recall[..], &["--json"]].concat()).ok().json();
    assert_eq!((&json["facts"][0]["currentTruth"], &json["block"]), (&false.into(), &"".into()));
    script.run(&["recall", "drinks", "--as", "user:mia"]).ok();
    script.run(&["recall", "drinks", "--as", "user:mia", "--as-of", "not a time"]).exits(2);
    script.run(&["receipts", "replay", &receipt, "--as", "user:mia"]).ok();
    script.quiet(&["ledger", "erase", &fact, "--revision", "1", "--yes", "--as", "user:mia"]).ok();
    script.run(&["receipts", "replay", &receipt, "--as", "user:mia"]).exits(1);
    script.quiet(&["receipts", "forget", &receipt, "--as", "user:mia"]).ok();
    script.run(&["receipts", "replay", &receipt, "--as", "user:mia"]).exits(1);
    insta::assert_snapshot!(script.told().replace(&then, "[then]"));
}
