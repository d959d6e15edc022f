//! What surrounds a statement: actors, retention, and how words are stored.

use serde_json::{Value, json};

use crate::samples::{DAY, at, id, number, refused_field, saying, valid};
use crate::{Actor, Admission, Evidence, EvidenceKind, Retention, Saying, Trust, Words};
use crate::{Content, Text};

fn actor(path: &str) -> Actor {
    Actor::parse("--actor", path).unwrap()
}

#[test]
fn an_actor_is_read_from_its_path() {
    assert_eq!(actor("user:ann"), Actor::User { id: id("ann") });
    assert_eq!(actor("user:a:b"), Actor::User { id: id("a:b") });
    assert_eq!(actor("agent:helper@1.2"), Actor::Agent { id: id("helper"), version: Some(id("1.2")) });
    for bad in [
        "",
        "ann",
        "user",
        "user:",
        "user: ann",
        "User:ann",
        "robot:x",
        "agent:",
        "agent:@1",
        "agent:a@",
        "user:a\0",
    ] {
        assert_eq!(refused_field(Actor::parse("--actor", bad)), "--actor", "{bad}");
    }
}

#[test]
fn what_each_actor_may() {
    // person, only creates, keeps its keys, default trust, admission
    for (path, person, only_creates, keeper, trust, admission) in [
        ("user:a", true, false, false, Trust::Asserted, Admission::Admitted),
        ("operator:a", true, false, false, Trust::Asserted, Admission::Admitted),
        ("agent:a", false, false, true, Trust::Unverified, Admission::Admitted),
        ("migration:a", false, true, false, Trust::Asserted, Admission::Quarantined),
        ("service:a", false, true, false, Trust::Asserted, Admission::Admitted),
    ] {
        let actor = actor(path);
        assert_eq!(actor.is_person(), person, "{path}");
        assert_eq!(actor.only_creates(), only_creates, "{path}");
        assert_eq!(actor.keeper().is_some(), keeper, "{path}");
        assert_eq!(actor.default_trust(), trust, "{path}");
        assert_eq!(actor.admission(), admission, "{path}");
    }
}

#[test]
fn a_key_is_kept_by_the_agent_whatever_its_version() {
    assert_eq!(actor("agent:helper@1").keeper(), actor("agent:helper@2").keeper());
    assert_ne!(actor("agent:helper").keeper(), actor("agent:Helper").keeper());
}

#[test]
fn retention_counts_from_the_first_write_to_the_earlier_bound() {
    let kept = |keep_days, until: Option<i64>| Retention {
        keep_days,
        keep_until: until.map(at),
        unless_verified: false,
    };
    for (retention, expires) in [
        (kept(None, None), None),
        (kept(Some(1), None), Some(5 + DAY)),
        (kept(None, Some(7)), Some(7)),
        (kept(Some(1), Some(7)), Some(7)),
        (kept(Some(1), Some(9 * DAY)), Some(5 + DAY)),
    ] {
        assert_eq!(retention.expires_at(at(5)), expires.map(at));
    }
}

#[test]
fn a_revision_holds_within_its_validity_and_its_retention() {
    let kept = |days| Saying {
        retention: Retention { keep_days: Some(days), keep_until: None, unless_verified: false },
        ..valid(None, Some(3 * DAY))
    };
    for (saying, from, until) in [
        (saying(), 9, None),
        (valid(Some(20), None), 20, None),
        (valid(Some(1), Some(8)), 1, Some(8)),
        (kept(1), 9, Some(DAY)),
        (kept(30), 9, Some(3 * DAY)),
    ] {
        let span = saying.span(number(2), at(0), at(9));
        assert_eq!((span.revision, span.from, span.until), (number(2), at(from), until.map(at)));
    }
}

#[test]
fn evidence_is_the_same_whatever_its_quote() {
    let evidence = |kind, name: &str, quote: Option<&str>| Evidence {
        kind,
        id: id(name),
        digest: None,
        quote: quote.map(|quote| Text::stored(quote.to_owned())),
    };
    let one = evidence(EvidenceKind::Run, "r1", None);
    assert!(one.same_as(&evidence(EvidenceKind::Run, "r1", Some("words"))));
    assert!(!one.same_as(&evidence(EvidenceKind::Run, "R1", None)));
    assert!(!one.same_as(&evidence(EvidenceKind::Message, "r1", None)));
}

#[test]
fn words_are_stored_without_what_is_not_there() {
    let words = |content: Value| Words {
        content: Some(Content::parse(content).unwrap()),
        key: Some(Text::stored("drink".to_owned())),
        ..Words::default()
    };
    for (words, stored) in [
        (Words::default(), json!({})),
        (words(Value::Null), json!({"content": null, "key": "drink"})),
        (words(json!({"text": "tea"})), json!({"content": {"text": "tea"}, "key": "drink"})),
    ] {
        assert_eq!(serde_json::to_value(&words).unwrap(), stored);
        assert_eq!(serde_json::from_value::<Words>(stored).unwrap(), words);
    }
    assert!(Words::default().is_empty());
    assert!(!words(Value::Null).is_empty());
    assert!(serde_json::from_value::<Words>(json!({"colour": 1})).is_err());
}
