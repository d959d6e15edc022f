//! One owner never sees another's facts, whatever the verb and whatever they fill in (SEC-06, SEC-07).

use std::collections::BTreeSet;

use super::help::verbs;
use super::script::Script;

const ANA: &str = "project:desk/participant:ana";
const BOB: &str = "project:desk/participant:bob";
/// A fact that nobody has.
const OTHER: &str = "01981f6e-6a1c-7c3e-8f0a-0123456789ab";
const CANARY: &str = "canary4711";

/// A store where Ana has facts of every kind, and Bob has one. Gives the ids of Ana's.
fn peopled() -> (Script, Vec<String>) {
    let script = Script::new();
    let write = |more: &[&str]| {
        let text = format!("{CANARY} drinks tea");
        let words = ["facts", "write", "--type", "acme.note", "--scope", ANA, "--text", &text];
        script.quiet(&[&words[..], more].concat()).ok().id()
    };
    let current = write(&["--key", CANARY, "--tag", CANARY, "--reason", CANARY, "--run-id", CANARY]);
    let contested = write(&["--key", "contested"]);
    let doubt = format!("{CANARY} drinks coffee");
    script.quiet(&["facts", "supersede", &contested, "--actor", "agent:x", "--text", &doubt]).ok();
    let forgotten = write(&["--valid-until", "2999-01-01T00:00:00Z"]);
    script.quiet(&["facts", "forget", &forgotten, "--reason", CANARY]).ok();
    write(&["--actor", "agent:x"]);
    write(&["--key", "said otherwise"]);
    let quarantined = write(&["--actor", "migration:m", "--key", "quarantined"]);
    let user = ["facts", "write", "--type", "acme.note", "--scope", "user:ana", "--text", CANARY];
    let of_user = script.quiet(&user).ok().id();
    script
        .quiet(&["facts", "write", "--type", "acme.note", "--scope", BOB, "--text", "Bob drinks water"])
        .ok();
    script.quiet(&["facts", "supersede", &forgotten, "--actor", "agent:x", "--text", &doubt]).ok();
    let old = format!("{{\"text\":\"{CANARY} drinks tea of old\"}}\n");
    std::fs::write(script.folder().join("old.ndjson"), old).unwrap();
    script.quiet(&["adopt", "import", "ndjson", "old.ndjson", "--scope", ANA]).ok();
    let id = |words: &[&str], list: &str, field: &str| {
        script.quiet(words).ok().json()[list][0][field].as_str().unwrap().to_owned()
    };
    let conflict = id(&["conflicts", "list", "--as", ANA, "--json"], "conflicts", "conflict");
    let review = id(&["review", "list", "--as", ANA, "--json"], "reviews", "review");
    let row = id(&["adopt", "list", "--as", ANA, "--json"], "rows", "row");
    (script, vec![current, row, contested, forgotten, quarantined, of_user, conflict, review])
}

/// Every verb, with what Bob fills in to get at a fact of Ana's. `None` where a verb takes no caller at all.
fn attempts<'a>(verb: &str, fact: &'a str, cursor: &'a str) -> Option<Vec<Vec<&'a str>>> {
    let by_id = vec![vec![fact]];
    Some(match verb {
        "facts get" => vec![
            vec![fact],
            vec![fact, "--revision", "1"],
            vec![fact, "--as-of", "2999-01-01T00:00:00Z"],
            vec![fact, "--valid-at", "2999-01-01T00:00:00Z"],
        ],
        "facts list" => {
            let mut all = vec![
                vec!["--limit", "1000"],
                vec!["--scope", ANA],
                vec!["--scope", "user:ana"],
                vec!["--key", CANARY],
                vec!["--tag", CANARY],
                vec!["--type", "acme.note"],
                vec!["--as-of", "2999-01-01T00:00:00Z"],
                vec!["--cursor", cursor],
            ];
            let states = ["superseded", "retracted", "expired", "conflicted"];
            all.extend(states.map(|state| vec!["--state", state]));
            all.extend(states.map(|state| vec!["--state", state, "--scope", ANA]));
            all
        }
        "facts revisions" => vec![vec![fact], vec![fact, "--before", "9"]],
        "facts verify" | "facts delete" | "facts restore" | "facts hold" | "facts admit" => by_id,
        "receipts explain" | "receipts forget" | "receipts replay" => by_id,
        "facts move" => vec![vec![fact, "--to", BOB], vec![fact, OTHER, "--to", BOB]],
        "duplicates merge" => vec![vec![fact, OTHER], vec![OTHER, fact]],
        "duplicates split" => vec![vec![fact], vec![fact, OTHER]],
        "facts supersede" => vec![vec![fact, "--text", "mine"]],
        "facts write" => statements(),
        "facts export" | "facts digest" | "receipts list" | "review list" | "forgotten sweep" => vec![vec![]],
        "facts forget-all" => {
            vec![vec!["--yes"], vec!["--yes", "--owner", ANA], vec!["--yes", "--scope", ANA]]
        }
        "forgotten list" => vec![vec![], vec!["--scope", ANA], vec!["--cursor", cursor]],
        "duplicates list" => vec![
            vec![],
            vec!["--scope", ANA],
            vec!["--scope", "user:ana"],
            vec!["--key", CANARY],
            vec!["--tag", CANARY],
            vec!["--type", "acme.note"],
        ],
        "conflicts list" => vec![vec![], vec!["--limit", "1000"]],
        "conflicts show" | "conflicts reopen" | "review accept" | "review dismiss" | "review admit"
        | "review quarantine" => by_id,
        "conflicts settle" => rulings(fact),
        "recall" => vec![
            vec![CANARY],
            vec!["drinks", "tea", "--limit", "100"],
            vec![CANARY, "--block"],
            vec!["--mode", "list", "--limit", "100"],
            vec![CANARY, "--types", "acme.note"],
        ],
        "ledger erase" => vec![vec![fact], vec![fact, "--yes"], vec![fact, "--revision", "1", "--yes"]],
        "projections retry" => vec![vec![], vec![fact], vec!["--owner", ANA]],
        "projections rebuild" => vec![vec![]],
        "projections status" | "projections check" | "projections repair" => {
            vec![vec![], vec!["--owner", ANA]]
        }
        // Reads lines that the caller has; the store says nothing but counts.
        "facts import" => vec![vec!["-"]],
        // Stores of their own.
        "demo" | "eval" | "openapi" | "models pull" | "models list" | "models use" => return None,
        _ if verb.starts_with("adopt ") => of_old_memories(verb, fact),
        _ => match OF_THE_INSTALL.iter().find(|(of, _)| *of == verb) {
            Some((_, words)) => vec![words.to_vec()],
            None => panic!("say how Bob would try to read Ana's facts with `memory {verb}`"),
        },
    })
}

/// Papers and sources are of the caller's own: the store is asked only after they were read.
fn of_old_memories<'a>(verb: &str, row: &'a str) -> Vec<Vec<&'a str>> {
    match verb {
        "adopt import" => vec![vec!["ndjson", "old.ndjson", "--scope", ANA, "--dry-run"]],
        "adopt review" | "adopt seal" => vec![vec!["nothing"]],
        "adopt apply" => vec![vec!["nothing", "--yes"]],
        "adopt rollback" => vec![vec![row], vec![row, "--yes"]],
        "adopt list" => vec![vec![], vec!["--owner", ANA], vec!["--adoptions"]],
        "adopt audit" => vec![vec!["--show"], vec!["--show", "--owner", ANA]],
        "adopt census" => vec![vec![], vec!["--owner", ANA]],
        _ => panic!("say how Bob would try to read Ana's old memories with `memory {verb}`"),
    }
}

/// What is about the whole install, and nobody's but the operator's.
const OF_THE_INSTALL: [(&str, &[&str]); 13] = [
    ("config show", &[]),
    ("doctor", &[]),
    ("keys create", &["mine", "--right", "admin"]),
    ("keys list", &[]),
    ("keys revoke", &["0123456789abcdef"]),
    ("ledger check", &[]),
    ("ledger dump", &["-"]),
    ("ledger load", &["nothing", "--yes"]),
    ("ledger rebuild", &["--yes"]),
    ("serve", &["--listen", "127.0.0.1:0"]),
    ("settings list", &[]),
    ("settings set", &["model", "mine"]),
    ("status", &[]),
];

/// What is said in Ana's name, by Bob or by an agent of his.
fn statements() -> Vec<Vec<&'static str>> {
    let said = ["--type", "acme.note", "--scope", ANA, "--key", CANARY, "--text", "mine"];
    vec![said.to_vec(), [&said[..], &["--actor", "agent:x"]].concat()]
}

/// Every way to settle a conflict.
fn rulings(conflict: &str) -> Vec<Vec<&str>> {
    let ruling = |words: &[&'static str]| [&[conflict, "--expect-conflict", "1"], words].concat();
    vec![ruling(&["--keep", "1"]), ruling(&["--text", "mine"]), ruling(&["--keep", "1", "--apart", "2"])]
}

#[test]
fn no_verb_shows_one_owners_facts_to_another() {
    let (script, facts) = peopled();
    let mine = script.quiet(&["facts", "list", "--as", ANA, "--json", "--limit", "1"]).ok().json();
    let cursor = mine["next"].as_str().unwrap_or("none").to_owned();
    let before = everything(&script, ANA);
    assert!(before.contains(CANARY));
    let mut tried = 0;
    for verb in verbs() {
        for fact in &facts {
            let Some(attempts) = attempts(&verb.join(" "), fact, &cursor) else { continue };
            for attempt in attempts {
                for json in [&[][..], &["--json"]] {
                    let mut words: Vec<&str> = verb.iter().map(String::as_str).collect();
                    words.extend(attempt.iter().copied());
                    words.extend(["--as", BOB]);
                    words.extend(json);
                    let ran = script.quiet(&words);
                    if verb[0] == "receipts" {
                        // It echoes what Bob asked, and that alone.
                        assert!(!ran.out.contains("user:ana") && !ran.out.contains("operator"), "{ran:?}");
                        continue;
                    }
                    let echoes = attempt.contains(&CANARY);
                    let leaks = |text: &str| text.contains("drinks tea") || text.contains("drinks coffee");
                    assert!(!leaks(&ran.out) && !leaks(&ran.err), "{words:?}: {ran:?}");
                    assert!(
                        echoes || !(ran.out.contains(CANARY) || ran.err.contains(CANARY)),
                        "{words:?}: {ran:?}"
                    );
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 300, "{tried}");
    assert_eq!(everything(&script, ANA), before, "nothing of Ana's changed");
}

#[test]
fn what_is_hidden_looks_like_what_is_not_there() {
    let (script, facts) = peopled();
    for verb in ["get", "revisions", "verify", "delete", "restore", "hold", "supersede"] {
        let more: &[&str] = if verb == "supersede" { &["--text", "mine"] } else { &[] };
        let tried = |fact| script.quiet(&[&["facts", verb, fact, "--as", BOB], more].concat());
        let (hidden, missing) = (tried(&facts[0]), tried(OTHER).exits(3));
        assert_eq!((hidden.code, hidden.out, hidden.err), (missing.code, missing.out, missing.err), "{verb}");
    }
}

/// All that an owner can read.
fn everything(script: &Script, owner: &str) -> String {
    let mut all = String::new();
    let states = ["active", "superseded", "retracted", "expired", "conflicted"];
    for state in states {
        all.push_str(&script.quiet(&["facts", "list", "--json", "--state", state, "--as", owner]).ok().out);
    }
    let ways: [&[&str]; 6] = [
        &["adopt", "list"],
        &["conflicts", "list"],
        &["review", "list"],
        &["forgotten", "list"],
        &["facts", "export"],
        &["recall", "drinks"],
    ];
    for words in ways {
        all.push_str(&script.quiet(&[words, &["--as", owner]].concat()).ok().out);
    }
    all
}

#[test]
fn forgetting_one_owner_leaves_the_others_as_they_are() {
    let (script, ids) = peopled();
    let before = everything(&script, BOB);
    let mut forgotten = BTreeSet::new();
    for state in ["active", "conflicted"] {
        let listed = script.quiet(&["facts", "list", "--json", "--state", state, "--as", ANA]).ok().json();
        for fact in listed["facts"].as_array().unwrap() {
            let id = fact["id"].as_str().unwrap().to_owned();
            if forgotten.insert(id.clone()) {
                script.quiet(&["facts", "forget", &id, "--as", ANA]).ok();
            }
        }
    }
    assert!(forgotten.len() >= 2);
    // The row from before the ledger is no fact: it is erased.
    script.quiet(&["ledger", "erase", &ids[1], "--yes", "--as", BOB]).exits(3);
    script.quiet(&["ledger", "erase", &ids[1], "--yes", "--as", ANA]).ok();
    assert!(!script.quiet(&["recall", CANARY, "--as", ANA]).ok().out.contains("drinks"));
    assert_eq!(everything(&script, BOB), before);
    script.quiet(&["ledger", "rebuild", "--yes"]).ok();
    assert_eq!(everything(&script, BOB), before);
    for id in &forgotten {
        script.quiet(&["ledger", "erase", id, "--yes", "--as", ANA]).ok();
    }
    assert_eq!(everything(&script, BOB), before);
    script.quiet(&["ledger", "check"]).ok();
}
