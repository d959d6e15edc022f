//! Ids and names: limits on both sides, compared byte for byte (LED-16, LED-25).

use crate::Text;
use crate::limits::{ID_CHARS_MAX, KEY_CHARS_MAX, TAG_CHARS_MAX, TYPE_CHARS_MAX};
use crate::{FactId, FactType, Id, RequestKey, RevisionNumber};

type Takes = fn(&str) -> bool;

/// Every kind of short name, by what reads it.
fn names() -> [(&'static str, usize, Takes); 5] {
    [
        ("id", ID_CHARS_MAX, |text| Id::parse("id", text).is_ok()),
        ("type", TYPE_CHARS_MAX, |text| FactType::parse(text).is_ok()),
        ("request key", ID_CHARS_MAX, |text| RequestKey::parse(text).is_ok()),
        ("key", KEY_CHARS_MAX, |text| Text::parse_name("key", text, KEY_CHARS_MAX).is_ok()),
        ("tag", TAG_CHARS_MAX, |text| Text::parse_name("tags", text, TAG_CHARS_MAX).is_ok()),
    ]
}

#[test]
fn a_name_is_held_to_its_limit_in_characters() {
    for (kind, most, takes) in names() {
        for letter in ["a", "é", "京"] {
            assert!(takes(letter), "{kind}");
            assert!(takes(&letter.repeat(most)), "{kind}");
            assert!(!takes(&letter.repeat(most + 1)), "{kind}");
        }
    }
}

#[test]
fn a_name_that_nobody_can_see_or_type_is_refused() {
    for (kind, _, takes) in names() {
        for bad in
            ["", " ", "\u{200b}", "\u{feff}", "\n", "a\0", "\0", "a\tb", "a\u{85}b", " a", "a ", "a\u{a0}"]
        {
            assert!(!takes(bad), "{kind} {bad:?}");
        }
    }
}

#[test]
fn names_compare_byte_for_byte() {
    let id = |text| Id::parse("id", text).unwrap();
    assert_ne!(id("Alice"), id("alice"));
    assert_ne!(id("e\u{301}"), id("é"));
    assert_eq!(id("alice").as_str(), "alice");
    assert_ne!(FactType::parse("MyService").unwrap(), FactType::parse("myservice").unwrap());
    let key = |text| Text::parse_name("key", text, KEY_CHARS_MAX).unwrap();
    assert_ne!(key("MyService"), key("myservice"));
}

#[test]
fn a_type_holds_letters_digits_and_four_signs() {
    for good in ["acme.preference", "a-b_c/d.1", "präferenz"] {
        assert!(FactType::parse(good).is_ok(), "{good}");
    }
    for bad in ["a b", "a:b", "a\\b", "<a>", "a\u{301}", "a*"] {
        assert!(FactType::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_fact_id_is_the_hyphenated_form_only() {
    let full = "01981f6e-6a1c-7c3e-8f0a-0123456789ab";
    assert_eq!(FactId::parse(full).unwrap().to_string(), full);
    assert_eq!(FactId::parse(&full.to_uppercase()).unwrap().to_string(), full);
    for bad in [
        "",
        "1",
        "01981f6e",
        "01981f6e-6a1c-7c3e-8f0a-0123456789a",
        "01981f6e6a1c7c3e8f0a0123456789ab",
        "{01981f6e-6a1c-7c3e-8f0a-0123456789ab}",
        "urn:uuid:01981f6e-6a1c-7c3e-8f0a-0123456789ab",
        "01981f6e-6a1c-7c3e-8f0a-0123456789ag",
        "01981f6e6-a1c-7c3e-8f0a-0123456789ab",
        " 1981f6e-6a1c-7c3e-8f0a-0123456789ab",
    ] {
        assert!(FactId::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn revisions_are_numbered_from_1() {
    assert_eq!(RevisionNumber::new(0), None);
    assert_eq!(RevisionNumber::new(1), Some(RevisionNumber::FIRST));
    assert_eq!(RevisionNumber::FIRST.next().get(), 2);
}
