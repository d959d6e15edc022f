//! Tests of keys: their form, and what they open.

use std::collections::BTreeSet;

use crate::{Actor, Bounds, Id, Key, KeyToken, Right, Scope, Text, Timestamp};

fn tenant() -> Id {
    Id::parse("tenant", "local").unwrap()
}

fn scope(path: &str) -> Scope {
    Scope::parse_path("scope", &tenant(), path).unwrap()
}

fn key(rights: &[Right], reads: &[&str], writes: &[&str]) -> Key {
    let scopes = |paths: &[&str]| paths.iter().map(|path| scope(path)).collect();
    let token = KeyToken::new([1; 8], [2; 32]);
    Key {
        id: token.id().clone(),
        tenant: tenant(),
        label: Text::stored("test".to_owned()),
        actor: Actor::parse("actor", "service:app").unwrap(),
        bounds: Bounds {
            rights: rights.iter().copied().collect(),
            reads: scopes(reads),
            writes: scopes(writes),
        },
        created_at: Timestamp::from_micros(0),
        revoked_at: None,
    }
}

#[test]
fn a_key_reads_back_and_nothing_else_does() {
    let token = KeyToken::new([0xab; 8], [0x0c; 32]);
    let text = token.reveal();
    assert_eq!(text.len(), 4 + 16 + 1 + 64 + 8);
    assert_eq!(KeyToken::parse(&text), Some(token.clone()));
    assert!(!format!("{token:?}").contains("0c0c"));
    for (place, _) in text.char_indices() {
        let mut mistyped = text.clone();
        mistyped.replace_range(place..=place, if &text[place..=place] == "0" { "1" } else { "0" });
        assert_eq!(KeyToken::parse(&mistyped), None, "{mistyped}");
    }
    for bad in
        ["", "mem_", "mem__", "mem_ab_cd", &text[..text.len() - 1], &format!("{text}0"), &text.to_uppercase()]
    {
        assert_eq!(KeyToken::parse(bad), None, "{bad}");
    }
}

#[test]
fn a_key_reads_and_writes_what_it_names() {
    let app = key(&[Right::FactsRead], &["project:r", "org:o"], &["project:p"]);
    for (path, reads, writes) in [
        ("tenant", true, false),
        ("org:o", true, false),
        ("project:r", true, false),
        ("project:r/participant:x", false, false),
        ("project:p", true, true),
        ("project:p/participant:x", true, true),
        ("project:p/thread:t", true, true),
        ("user:u", false, false),
        ("project:q", false, false),
    ] {
        let scope = scope(path);
        assert_eq!(
            (app.reader().may_read(&scope), app.writer().may_write(&scope)),
            (reads, writes),
            "{path}"
        );
    }
    let admin = key(&[Right::Admin], &[], &[]);
    assert!(admin.reader().may_read(&scope("user:u")) && admin.writer().may_write(&scope("tenant")));
}

#[test]
fn an_admin_may_do_all_and_others_what_they_were_given() {
    let reader = key(&[Right::FactsRead], &[], &[]).bounds;
    assert!(reader.allow(Right::FactsRead) && !reader.allow(Right::FactsWrite));
    let admin = key(&[Right::Admin], &[], &[]).bounds;
    for right in Right::ALL {
        assert_eq!(admin.allow(right), right != Right::Operate);
        assert_eq!(Right::parse(right.name()), Ok(right));
    }
    assert!(Right::parse("facts").is_err());
}

#[test]
fn bounds_that_open_nothing_or_elsewhere_are_refused() {
    let none = Bounds { rights: BTreeSet::new(), reads: Vec::new(), writes: Vec::new() };
    assert!(none.check(&tenant()).is_err());
    let elsewhere = Id::parse("tenant", "elsewhere").unwrap();
    assert!(key(&[Right::FactsRead], &["project:p"], &[]).bounds.check(&elsewhere).is_err());
}
