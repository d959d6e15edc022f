//! Input that is not as it must be: each refusal names the field and the limit, and changes nothing.

use super::script::Script;

/// A verb, what is wrong with it, and what is said.
type Case<'a> = (&'a [&'a str], &'a [&'a str], &'a str);

/// Each is refused by name, in text and in JSON, and nothing changes.
#[track_caller]
fn check(script: &Script, cases: &[Case<'_>]) {
    let events = script.events();
    for (verb, rest, says) in cases {
        let words = [*verb, *rest].concat();
        let ran = script.quiet(&words).exits(2).says(says);
        assert!(ran.out.is_empty(), "{words:?}");
        let json = script.quiet(&[&words[..], &["--json"]].concat()).exits(2);
        assert!(json.error()["message"].as_str().unwrap().contains(says), "{json:?}");
    }
    assert_eq!(script.events(), events);
}

fn store() -> (Script, String) {
    let script = Script::new();
    let fact = script.quiet(&["facts", "write", "--type", "acme.note", "--text", "one"]).ok().id();
    (script, fact)
}

#[test]
fn what_is_said_must_be_within_its_limits() {
    let (script, _) = store();
    let (long, long_key) = ("x".repeat(16_385), "k".repeat(129));
    let write = ["facts", "write", "--type", "acme.note"];
    let text = ["facts", "write", "--type", "acme.note", "--text", "two"];
    check(
        &script,
        &[
            (&["facts", "write"], &["--text", "x"], "type: is missing"),
            (&write, &[], "content: is missing"),
            (&write, &["--text", " \u{200b} "], "content: must not be empty or blank"),
            (&write, &["--text", &long], "content: has 16385 characters; at most 16384"),
            (&write, &["--content", "{"], "content: is no JSON"),
            (&write, &["--content", "9007199254740993"], "content: holds a number beyond 2^53"),
            (&["facts", "write"], &["--type", "a b", "--text", "x"], "type: may hold letters, digits"),
            (&text, &["--key", &long_key], "key: has 129 characters; at most 128"),
            (&text, &["--tag", " x"], "tags: must not begin or end with white space"),
            (&text, &["--confidence", "1.1"], "confidence: must be a decimal number from 0 to 1"),
            (&text, &["--confidence", "much"], "confidence: must be a number from 0 to 1"),
            (&text, &["--trust", "verified"], "trust: may be asserted or unverified"),
            (&text, &["--trust", "blind"], "trust: must be asserted or unverified"),
            (&text, &["--evidence", "rumour:x"], "evidence: must be a list of"),
            (&text, &["--evidence", "run"], "evidence: must be KIND:ID"),
            (&text, &["--subject", "ana"], "subjects: must be KIND:ID"),
            (&text, &["--valid-from", "2026-11-01T10:00:00"], "validFrom: must be a time with its zone"),
            (&text, &["--valid-until", "2001-01-01T00:00:00Z"], "validUntil: must be later than now"),
            (&text, &["--keep-days", "0"], "retention.keepDays: must be from 1 to 3650"),
            (&text, &["--keep-days", "x"], "--keep-days"),
            (&text, &["--keep-until", "2001-01-01T00:00:00Z"], "retention.keepUntil: must be later than now"),
            (&text, &["--content", "1"], "cannot be used with"),
        ],
    );
}

#[test]
fn who_and_where_must_be_named_well() {
    let (script, _) = store();
    let text = ["facts", "write", "--type", "acme.note", "--text", "two"];
    check(
        &script,
        &[
            (&text, &["--scope", "participant:x"], "scope.participantId: needs scope.projectId"),
            (
                &text,
                &["--scope", "planet:x"],
                "scope: must be 'tenant' or parts such as project:P/participant:X",
            ),
            (&text, &["--scope", "project:a/project:b"], "scope: names project twice"),
            (&text, &["--idempotency-key", ""], "idempotencyKey: must not be empty or blank"),
            (&text, &["--actor", "robot:x"], "actor: must be user:ID, operator:ID, agent:ID@VERSION"),
            (&text, &["--as", "nobody"], "as: must be 'tenant' or parts such as"),
            (&text, &["--tenant", ""], "tenant: must not be empty or blank"),
            (&text, &["--db", ""], "db: must not be empty"),
        ],
    );
}

#[test]
fn json_must_be_a_draft() {
    let (script, fact) = store();
    let subjects = r#"{"type":"t","content":"c","subjects":[{"kind":"p","id":"1","name":"Ana"}]}"#;
    let tenant = r#"{"scope":{"tenantId":"x"},"type":"t","content":1}"#;
    let write = ["facts", "write", "--input"];
    check(
        &script,
        &[
            (&write, &["[]"], "input: must be a JSON object"),
            (&write, &["{\"type\":"], "input: is no JSON: it ends too early at line 1"),
            (&write, &["{\"tpye\":\"t\",\"content\":1}"], "unknown field `tpye`"),
            (&write, &[subjects], "subjects: unknown field `name`"),
            (&write, &["{}", "--text", "x"], "cannot be used with"),
            (&write, &[tenant], "scope.tenantId"),
            (&["facts", "supersede", &fact], &[], "content: is missing"),
            (&["facts", "supersede", &fact, "--input"], &["{\"content\":1,\"type\":\"t\"}"], "type: is kept"),
        ],
    );
}

#[test]
fn what_is_asked_for_must_make_sense() {
    let (script, fact) = store();
    let long = "q".repeat(2_001);
    let get = ["facts", "get", &fact];
    let list = ["facts", "list"];
    let revisions = ["facts", "revisions", &fact];
    let states = "state: must be one of active, superseded, retracted, expired, conflicted";
    check(
        &script,
        &[
            (&["facts", "get"], &[&fact[..8]], "fact: must be a full id"),
            (&get, &["--revision", "0"], "revision: must be a whole number from 1"),
            (&get, &["--as-of", "yesterday"], "asOf: must be a time with its zone"),
            (&list, &["--limit", "0"], "limit: must be from 1 to 10000"),
            (&list, &["--limit", "10001"], "limit: must be from 1 to 10000"),
            (&list, &["--state", "gone"], states),
            (&list, &["--cursor", "garbage"], "cursor: does not belong to this list"),
            (&revisions, &["--limit", "0"], "limit: must be from 1 to 10000"),
            (&revisions, &["--before", "0"], "before: must be a whole number from 1"),
            (&["recall"], &[], "query: is missing"),
            (&["recall", &long], &[], "query: has 2001 characters; at most 2000"),
            (&["recall", "x"], &["--mode", "psychic"], "mode: must be keyword, semantic, both, list or none"),
            (&["recall", "x"], &["--mode", "list"], "query: has no use in mode list"),
            (&["recall", "x"], &["--limit", "101"], "limit: must be from 1 to 100"),
            (&["recall", "x"], &["--tokens", "0"], "tokens: must be at least 1"),
            (&["recall", "x"], &["--types", "a b"], "type: may hold letters, digits"),
            (&["conflicts", "list"], &["--limit", "0"], "limit: must be from 1 to 10000"),
            (&["forgotten", "list"], &["--limit", "101"], "limit: must be from 1 to 100"),
        ],
    );
}

#[test]
fn settings_of_the_environment_are_checked() {
    let script = Script::new();
    let list = |name: &str, value: &str| {
        let output = script.command(&["facts", "list"]).env(name, value).output().unwrap();
        super::script::Ran::of(output)
    };
    list("MEMORY_BUSY_SECONDS", "soon").exits(1).says("no memory");
    script.quiet(&["facts", "write", "--type", "t", "--text", "x"]).ok();
    list("MEMORY_BUSY_SECONDS", "soon")
        .exits(2)
        .says("MEMORY_BUSY_SECONDS: must be a whole number from 0 to 3600");
    list("MEMORY_LOG", "loud").exits(2).says("MEMORY_LOG: must be off, error, warn, info, debug or trace");
    list("MEMORY_DB", "").exits(2).says("MEMORY_DB: must not be empty");
}

#[test]
fn statements_come_from_files_and_pipes() {
    let script = Script::new();
    let said = r#"{"type":"acme.note","content":{"text":"from a file"}}"#;
    std::fs::write(script.folder().join("said.json"), said).unwrap();
    let fact = script.quiet(&["facts", "write", "--input", "@said.json"]).ok().id();
    let next = r#"{"content":"from a pipe"}"#;
    script.quiet_with(&["facts", "supersede", &fact, "--input", "-", "--expect-version", "1"], next).ok();
    let seen = script.quiet(&["facts", "get", &fact, "--json"]).ok().json();
    assert_eq!((&seen["content"], &seen["version"]), (&"from a pipe".into(), &2.into()));
    script.quiet(&["facts", "write", "--input", "@missing.json"]).exits(1).says("missing.json: ");
    script.quiet(&["facts", "write", "--input", "@."]).exits(1).says("error: .: ");
    let other = "01981f6e-6a1c-7c3e-8f0a-0123456789ab";
    let aimed = format!("{{\"fact\":\"{other}\",\"content\":1}}");
    script.quiet(&["facts", "supersede", &fact, "--input", &aimed]).exits(2).says("fact: is another one");
    let much = format!("{{\"content\":\"{}\"}}", "x".repeat(4_194_304));
    script.quiet_with(&["facts", "write", "--input", "-"], &much).exits(2).says("more than 4194304 bytes");
}

#[test]
fn nothing_makes_it_panic() {
    let script = Script::new();
    let fact = script.quiet(&["facts", "write", "--type", "acme.note", "--text", "one"]).ok().id();
    let odd = [
        "",
        " ",
        "-",
        "--",
        "@",
        "@-",
        "\u{1b}[2J",
        "\u{202e}",
        "'; DROP TABLE events; --",
        "%s%n",
        "../..",
        "9999999999999999999999",
        "-1",
        "NaN",
        "{\"a\":",
        "💥",
        "a\nb",
        "0x10",
        "1e999",
    ];
    let verbs: &[&[&str]] = &[
        &["facts", "get"],
        &["facts", "delete"],
        &["facts", "list", "--limit"],
        &["facts", "list", "--cursor"],
        &["facts", "list", "--key"],
        &["facts", "list", "--as-of"],
        &["facts", "write", "--type", "t", "--content"],
        &["facts", "write", "--text", "t", "--type"],
        &["facts", "write", "--type", "t", "--text", "x", "--confidence"],
        &["facts", "write", "--type", "t", "--text", "x", "--expect-version"],
        &["facts", "write", "--input"],
        &["facts", "supersede", &fact, "--content"],
        &["facts", "import"],
        &["recall"],
        &["recall", "--types"],
        &["ledger", "erase"],
        &["ledger", "load", "--yes"],
        &["facts", "list", "--as"],
        &["facts", "list", "--tenant"],
        &["facts", "list", "--db"],
        &["facts", "write", "--type", "t", "--text", "x", "--db"],
    ];
    for verb in verbs {
        for word in odd {
            let words = [*verb, &[word]].concat();
            let ran = script.quiet(&words);
            assert!(matches!(ran.code, Some(0..=7)), "{words:?}: {ran:?}");
            assert!(ran.code == Some(0) || !ran.err.is_empty(), "{words:?} fails without a word");
            assert!(!ran.err.contains(['\u{1b}', '\u{202e}']), "{words:?}: {ran:?}");
        }
    }
}
