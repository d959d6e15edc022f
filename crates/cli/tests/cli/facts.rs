//! The life of a fact at the command line, as transcripts.

use super::script::Script;

const ANA: &str = "project:desk/participant:ana";

#[test]
fn a_life_in_text() {
    let mut script = Script::new();
    let drink = ["facts", "write", "--type", "acme.profile", "--scope", ANA, "--key", "drink"];
    let tea =
        script.run(&[&drink[..], &["--text", "tea in the morning", "--tag", "taste"]].concat()).ok().id();
    script.run(&["facts", "list", "--as", ANA]).ok();
    script.run(&["facts", "supersede", &tea, "--text", "coffee", "--as", ANA, "--expect-version", "1"]).ok();
    script.run(&["facts", "get", &tea]).ok();
    script.run(&["facts", "verify", &tea]).ok();
    script.run(&["facts", "revisions", &tea]).ok();
    script.run(&["facts", "revisions", &tea, "--limit", "1"]).ok();
    script.run(&["facts", "get", &tea, "--revision", "1"]).ok();
    script.run(&["facts", "hold", &tea]).ok();
    script.run(&["facts", "delete", &tea]).exits(1);
    script.run(&["facts", "hold", &tea, "--lift"]).ok();
    script.run(&["facts", "forget", &tea, "--reason", "asked for"]).ok();
    script.run(&["facts", "get", &tea]).exits(3);
    script.run(&["facts", "delete", &tea]).exits(3);
    script.run(&["facts", "list"]).ok();
    script.run(&["facts", "list", "--state", "retracted"]).ok();
    script.run(&["facts", "restore", &tea]).ok();
    script.run(&["facts", "restore", &tea]).exits(1);
    script.run(&["facts", "list", "--type", "acme.profile", "--key", "drink", "--tag", "taste"]).ok();
    insta::assert_snapshot!(script.told());
}

#[test]
fn a_life_in_json() {
    let mut script = Script::new();
    let said = r#"{"type":"acme.note","scope":{"projectId":"desk","participantId":"end-7"},"key":"parts",
        "content":{"text":"end-7 orders spare parts for a washing machine."},"tags":["order"],"confidence":0.95,
        "evidence":[{"kind":"message","id":"m-1","quote":"spare parts, please"}],
        "retention":{"keepDays":30},"subjects":[{"kind":"participant","id":"end-7"}],
        "validFrom":"2026-01-01T00:00:00Z","observedAt":"2026-01-02T03:04:05+02:00","reason":"an order",
        "generatedBy":{"runId":"r-1","toolCallId":"call-1"}}"#;
    let write = ["facts", "write", "--json", "--idempotency-key", "k-1", "--actor", "agent:acme.desk@1.0.0"];
    let words = [&write[..], &["--input", "-"]].concat();
    let fact = script.run_with(&words, said).ok().json()["id"].as_str().unwrap().to_owned();
    let told = script.told();
    assert!(told.contains("\"expiresAt\""), "{told}");
    script.run(&["facts", "list", "--json"]).ok();
    script
        .run(&["facts", "supersede", &fact, "--content", "null", "--json", "--idempotency-key", "k-2"])
        .ok();
    script.run(&["facts", "verify", &fact, "--json", "--idempotency-key", "k-3"]).ok();
    script.run(&["facts", "revisions", &fact, "--json"]).ok();
    script.run(&["facts", "hold", &fact, "--json", "--idempotency-key", "k-4"]).ok();
    script.run(&["facts", "delete", &fact, "--json"]).exits(1);
    script.run(&["facts", "hold", &fact, "--lift", "--json", "--idempotency-key", "k-5"]).ok();
    script.run(&["facts", "delete", &fact, "--json", "--idempotency-key", "k-6"]).ok();
    script.run(&["facts", "get", &fact, "--json"]).exits(3);
    script.run(&["ledger", "erase", &fact, "--json"]).exits(7);
    script.run(&["ledger", "erase", &fact, "--json", "--yes"]).ok();
    script.run(&["facts", "get", &fact, "--revision", "1", "--json"]).ok();
    let told = script.told();
    insta::assert_snapshot!(without_expiry(&told));
}

/// `expiresAt` is thirty days away, so the time is hidden here, after a look at it.
fn without_expiry(told: &str) -> String {
    let lines = told.lines().map(|line| match line.split_once("\"expiresAt\": \"") {
        Some((before, rest)) => {
            assert!(rest.starts_with("20") && rest[4..].starts_with('-') && rest.contains("Z\""), "{line}");
            format!("{before}\"expiresAt\": [in 30 days]")
        }
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_doubt_waits_for_its_owner() {
    let mut script = Script::new();
    let write = ["facts", "write", "--type", "acme.note", "--scope", ANA, "--key", "contact"];
    let fact = script.run(&[&write[..], &["--text", "reach Ana by mail"]].concat()).ok().id();
    let doubt = ["facts", "supersede", &fact, "--actor", "agent:desk@2", "--confidence", "0.6"];
    let evidence = ["--evidence", "run:r7"];
    script.run(&[&doubt[..], &evidence, &["--text", "reach Ana by phone"]].concat()).ok();
    let joined =
        script.run(&[&doubt[..], &evidence, &["--text", "reach Ana by pigeon", "--json"]].concat()).ok();
    assert!(!joined.out.contains("phone") && !joined.out.contains("mail"), "{}", joined.out);
    script.run(&["recall", "reach"]).ok();
    script.run(&["recall", "reach", "--as", "project:desk/participant:bob"]).ok();
    script.run(&["conflicts", "list"]).ok();
    script.run(&["conflicts", "list", "--json"]).ok();
    script.run(&["conflicts", "list", "--as", "project:desk/participant:bob"]).ok();
    script.run(&["facts", "get", &fact]).exits(3);
    script.run(&["facts", "verify", &fact]).exits(1);
    script.run(&["facts", "list", "--state", "conflicted"]).ok();
    let told = script.told();
    insta::assert_snapshot!(without_keys(&told));
}

#[test]
fn what_a_person_forgot_stays_forgotten() {
    let mut script = Script::new();
    let write = ["facts", "write", "--type", "acme.note", "--text", "the shop opens at nine"];
    let fact = script.run(&write).ok().id();
    script.run(&["facts", "forget", &fact]).ok();
    script.run(&[&write[..], &["--actor", "agent:desk"]].concat()).ok();
    script.run(&[&write[..], &["--actor", "agent:desk", "--json"]].concat()).ok();
    script.run(&["review", "list"]).ok();
    script.run(&["review", "list", "--json"]).ok();
    script.run(&["review", "list", "--as", "project:other"]).ok();
    script.run(&["recall", "shop"]).ok();
    let told = script.told();
    insta::assert_snapshot!(without_keys(&told));
}

#[test]
fn what_is_brought_in_waits_for_an_operator() {
    let mut script = Script::new();
    let write = ["facts", "write", "--type", "acme.note", "--text", "an old belief"];
    let fact = script.run(&[&write[..], &["--actor", "migration:kai"]].concat()).ok().id();
    script.run(&["facts", "get", &fact]).ok();
    script.run(&["recall", "belief"]).ok();
    script.run(&["facts", "admit", &fact, "--actor", "user:ana"]).exits(4);
    script.run(&["facts", "admit", &fact]).ok();
    script.run(&["recall", "belief"]).ok();
    insta::assert_snapshot!(script.told());
}

/// Request keys that the command made up: ids like the others, which differ in number only.
fn without_keys(told: &str) -> String {
    let lines = told.lines().map(|line| match line.split_once("\"idempotencyKey\": \"[id-") {
        Some((before, _)) => format!("{before}\"idempotencyKey\": [made up]"),
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn recall_answers_people_programs_and_prompts() {
    let mut script = Script::new();
    for (kind, text) in [("acme.note", "The shop opens at nine"), ("acme.rule", "The shop closes on Sundays")]
    {
        script.run(&["facts", "write", "--type", kind, "--text", text]).ok();
    }
    script.run(&["recall", "when", "does", "the", "shop", "open"]).ok();
    script.run(&["recall", "shop", "--types", "acme.rule,acme.other"]).ok();
    script.run(&["recall", "--mode", "none"]).ok();
    script.run(&["recall", "shop", "--limit", "1", "--json"]).ok();
    script.run(&["recall", "Sundays", "--block"]).ok();
    script.run(&["recall", "Sundays", "--block", "--tokens", "5"]).ok();
    script.run(&["recall", "giraffe", "--block"]).ok();
    script.run(&["recall", "giraffe"]).ok();
    script.run(&["recall", "shop", "--mode", "semantic"]).exits(1);
    insta::assert_snapshot!(script.told());
}

#[test]
fn the_same_key_means_the_same_request() {
    let script = Script::new();
    let write =
        |text| ["facts", "write", "--type", "acme.note", "--idempotency-key", "k", "--json", "--text", text];
    let first = script.quiet(&write("one")).ok().json();
    let again = script.quiet(&write("one")).ok().json();
    assert_eq!(
        (first["receipt"]["replayed"].as_bool(), again["receipt"]["replayed"].as_bool()),
        (Some(false), Some(true))
    );
    assert_eq!(first["id"], again["id"]);
    let other = script.quiet(&write("two")).exits(1);
    assert_eq!(other.error()["code"], "idempotency-conflict");
    assert_eq!(script.events(), 1);
}

#[test]
fn the_past_is_read_as_it_was() {
    let script = Script::new();
    let write = ["facts", "write", "--type", "acme.note", "--json", "--key", "k", "--text"];
    let first = script.quiet(&[&write[..], &["one"]].concat()).ok().json();
    let second = script.quiet(&[&write[..], &["two"]].concat()).ok().json();
    let fact = first["id"].as_str().unwrap();
    let text = |words: &[&str]| {
        let seen = script.quiet(&[&["facts", "get", fact, "--json"], words].concat()).ok().json();
        seen["content"]["text"].as_str().unwrap().to_owned()
    };
    assert_eq!(text(&[]), "two");
    assert_eq!(text(&["--as-of", second["createdAt"].as_str().unwrap()]), "two");
    assert_eq!(text(&["--as-of", first["createdAt"].as_str().unwrap()]), "one");
    assert_eq!(text(&["--revision", "1"]), "one");
    script.quiet(&["facts", "get", fact, "--as-of", "2001-01-01T00:00:00Z"]).exits(3);
    script.quiet(&["facts", "get", fact, "--revision", "3"]).exits(3);
}
