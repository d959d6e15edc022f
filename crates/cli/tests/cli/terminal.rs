//! Nothing that was said can rewrite the terminal of who reads it (CLI-03).

use super::help::verbs;
use super::script::Script;

const EVIL: &str =
    "start\u{1b}[2J\u{1b}]0;owned\u{7}\u{202e}evil\u{61c}\u{2066}\u{200b}\u{e0041}\u{9b}31m\r\n\u{2028}end";
const HIDING: [char; 12] = [
    '\u{1b}',
    '\u{7}',
    '\u{202e}',
    '\u{61c}',
    '\u{2066}',
    '\u{200b}',
    '\u{e0041}',
    '\u{9b}',
    '\r',
    '\u{2028}',
    '\u{7f}',
    '\u{feff}',
];
const LETTERS: &str = "مرحبا שלום 漢字 👩\u{200d}👧 ❤\u{fe0f}";

#[test]
fn what_was_said_is_shown_and_not_obeyed() {
    let script = Script::new();
    let bidi = "id\u{202e}\u{200b}x";
    let text = format!("{LETTERS} {EVIL}");
    let said = serde_json::json!({
        "type": "acme.note", "scope": {"projectId": bidi}, "key": bidi, "tags": [bidi], "reason": EVIL,
        "content": {"text": text, bidi: 1},
        "evidence": [{"kind": "run", "id": bidi, "quote": EVIL}],
        "generatedBy": {"runId": bidi},
    });
    let actor = format!("agent:{bidi}@{bidi}");
    let write = ["facts", "write", "--actor", &actor, "--input", &said.to_string()];
    let fact = script.quiet(&write).ok().id();
    let doubtful = ["facts", "supersede", &fact, "--actor", "agent:x", "--text", EVIL];
    let other = script.quiet(&["facts", "write", "--type", "acme.note", "--text", &text]).ok().id();
    assert!(script.quiet(&["recall", "start"]).ok().out.starts_with("nothing"), "hidden text is quarantined");
    script.quiet(&["facts", "admit", &other]).ok();
    let readings: &[&[&str]] = &[
        &["facts", "list"],
        &["facts", "get", &fact],
        &["facts", "revisions", &fact],
        &["facts", "export"],
        &["recall", "start"],
        &["recall", "start", "--block"],
        &["ledger", "dump", "-"],
    ];
    for reading in readings {
        for json in [&[][..], &["--json"]] {
            let words = [*reading, json].concat();
            let ran = script.quiet(&words).ok();
            assert!(!ran.out.contains(HIDING) && !ran.err.contains(HIDING), "{words:?}: {ran:?}");
            assert!(ran.out.contains("مرحبا שלום 漢字 👩\u{200d}👧 ❤\u{fe0f}"), "{words:?}: {ran:?}");
        }
    }
    let list = script.quiet(&["facts", "list"]).ok().out;
    assert!(list.contains(r"start\u{1b}[2J\u{1b}]0;owned\u{7}\u{202e}evil\u{61c}\u{2066}\u{200b}\u{e0041}\u{9b}31m\r\n\u{2028}end"), "{list}");
    assert_eq!(list.lines().count(), 2);
    let json = script.quiet(&["facts", "get", &other, "--json"]).ok();
    assert!(
        json.out.contains(r"\u001b[2J") && json.out.contains(r"\u202e") && json.out.contains(r"\udb40\udc41")
    );
    assert_eq!(json.json()["content"]["text"], text);
    script.quiet(&doubtful).ok();
    for reading in [
        &["conflicts", "list"][..],
        &["conflicts", "list", "--json"],
        &["recall", "start"],
        &["facts", "list", "--state", "conflicted"],
    ] {
        let ran = script.quiet(reading).ok();
        assert!(!ran.out.contains(HIDING), "{reading:?}: {ran:?}");
    }
}

#[test]
fn what_is_typed_is_not_obeyed_either() {
    let script = Script::new();
    script.quiet(&["facts", "write", "--type", "acme.note", "--text", "one"]).ok();
    for verb in verbs() {
        let words: Vec<&str> = verb.iter().map(String::as_str).chain([EVIL, "--frobnicate", EVIL]).collect();
        for json in [&[][..], &["--json"]] {
            let ran = script.quiet(&[&words[..], json].concat()).exits(2);
            assert!(!ran.err.contains(HIDING), "{ran:?}");
        }
    }
    let unknown = format!("{{\"{EVIL}\":1}}").replace(['\r', '\n', '\u{1b}', '\u{7}'], "");
    let ran = script.quiet(&["facts", "write", "--input", &unknown]).exits(2).says("unknown field");
    assert!(!ran.err.contains(HIDING), "{ran:?}");
}

#[test]
fn there_is_no_colour_in_a_pipe() {
    let script = Script::new();
    for words in [&["--help"][..], &["facts", "get", "x"], &["facts", "--frobnicate"]] {
        let ran = script.quiet(words);
        assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'), "{ran:?}");
    }
}

#[test]
fn a_text_that_is_long_is_cut_in_rows_only() {
    let script = Script::new();
    let long = "word ".repeat(1_000);
    let fact = script.quiet(&["facts", "write", "--type", "acme.note", "--text", long.trim()]).ok().id();
    let list = script.quiet(&["facts", "list"]).ok().out;
    assert!(list.lines().count() == 1 && list.contains('…') && list.chars().count() < 250, "{list}");
    assert!(script.quiet(&["facts", "get", &fact]).ok().out.contains(long.trim()));
}

#[test]
fn no_log_holds_what_was_said() {
    let script = Script::new();
    let run = |words: &[&str]| {
        let output = script.command(words).env("MEMORY_LOG", "trace").output().unwrap();
        super::script::Ran::of(output).ok()
    };
    let write =
        run(&["facts", "write", "--type", "acme.note", "--key", "canary-key", "--text", "canary-text"]);
    for ran in [
        write,
        run(&["facts", "list", "--key", "canary-key"]),
        run(&["recall", "canary-text"]),
        run(&["ledger", "check"]),
        run(&["ledger", "rebuild", "--yes"]),
        run(&["facts", "export"]),
    ] {
        assert!(!ran.err.contains("canary"), "{}", ran.err);
    }
}
