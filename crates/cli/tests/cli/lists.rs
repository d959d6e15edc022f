//! Lists: nothing is cut without a word (CLI-01).

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::redact::ids;
use super::script::Script;

const FACTS: usize = 260;

fn filled() -> Script {
    let script = Script::new();
    let lines = (0..FACTS).fold(String::new(), |mut lines, number| {
        writeln!(lines, "{{\"type\":\"acme.note\",\"content\":\"fact {number}\"}}").unwrap();
        lines
    });
    let ran = script.quiet_with(&["facts", "import", "-"], &lines).ok();
    assert_eq!(ran.out, "260 lines: 260 created\n");
    script
}

#[test]
fn a_list_is_whole_or_says_that_it_is_not() {
    let script = filled();
    let whole = script.quiet(&["facts", "list", "--limit", "300"]).ok();
    assert_eq!((whole.out.lines().count(), whole.err.as_str()), (FACTS, ""));
    assert_eq!(ids(&whole.out).len(), FACTS);
    let json = script.quiet(&["facts", "list", "--limit", "300", "--json"]).ok().json();
    assert_eq!((json["facts"].as_array().unwrap().len(), json["next"].is_null()), (FACTS, true));
    let check = script.quiet(&["ledger", "check", "--json"]).ok().json();
    assert_eq!(check["versions"]["active"], FACTS);

    let exact = script.quiet(&["facts", "list", "--limit", "260"]).ok();
    assert_eq!((exact.out.lines().count(), exact.err.as_str()), (FACTS, ""));
    let cut =
        script.quiet(&["facts", "list", "--limit", "259"]).ok().says("truncated: more facts, next --cursor ");
    assert_eq!(cut.out.lines().count(), 259);
    let cut = script.quiet(&["facts", "list"]).ok().says("truncated: more facts, next --cursor ");
    assert_eq!(cut.out.lines().count(), 50);
}

#[test]
fn cursors_lead_through_everything_once() {
    let script = filled();
    let (mut seen, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let mut words = vec!["facts", "list", "--limit", "111", "--json"];
        words.extend(cursor.iter().flat_map(|cursor| ["--cursor", cursor]));
        let page = script.quiet(&words).ok().json();
        seen.extend(page["facts"].as_array().unwrap().iter().map(|fact| fact["id"].to_string()));
        match page["next"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => break,
        }
    }
    assert_eq!(seen.len(), FACTS);
    assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), FACTS);
    let first = script.quiet(&["facts", "list", "--limit", "1", "--json"]).ok().json();
    let cursor = first["next"].as_str().unwrap().to_owned();
    script.quiet(&["facts", "list", "--type", "acme.other", "--cursor", &cursor]).exits(2).says("cursor: ");
}
