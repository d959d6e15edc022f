//! Contents: limits, one canonical form, and that they are never printed (LED-13, LED-15, LED-16, LED-24).

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::Content;
use crate::limits::{CONTENT_BYTES_MAX, CONTENT_CHARS_MAX, CONTENT_DEPTH_MAX};

fn content(value: Value) -> Content {
    Content::parse(value).unwrap()
}

fn is_refused(value: Value) -> bool {
    Content::parse(value).is_err_and(|bad| bad.field == "content")
}

#[test]
fn the_golden_value() {
    let said = content(json!({"text": "end-7 orders spare parts for a washing machine."}));
    assert_eq!(said.size(), 58);
    assert_eq!(said.hash(), "sha256:f7de1d8940eba40c71e365c8e853f9cc631c6948e8b17e786417b116cdee69bc");
    assert_eq!(format!("{said:?}"), "Content(58 bytes)");
}

#[test]
fn text_is_held_to_its_limit_in_characters() {
    for letter in ["a", "é"] {
        assert!(!is_refused(json!({"text": letter.repeat(CONTENT_CHARS_MAX)})));
        assert!(is_refused(json!({"text": letter.repeat(CONTENT_CHARS_MAX + 1)})));
        assert!(is_refused(json!({"text": letter.repeat(CONTENT_CHARS_MAX), "more": 1})));
    }
}

#[test]
fn the_canonical_form_is_held_to_its_limit_in_bytes() {
    let of_bytes = |bytes: usize| json!({"n".repeat(bytes - "{\"\":1}".len()): 1});
    assert_eq!(content(of_bytes(CONTENT_BYTES_MAX)).size(), CONTENT_BYTES_MAX);
    assert!(is_refused(of_bytes(CONTENT_BYTES_MAX + 1)));
}

#[test]
fn nesting_is_held_to_its_limit() {
    let nested = |levels: usize| (1..levels).fold(json!("deep"), |inner, _| json!([inner]));
    assert!(!is_refused(nested(CONTENT_DEPTH_MAX)));
    assert!(is_refused(nested(CONTENT_DEPTH_MAX + 1)));
}

#[test]
fn numbers_that_the_canonical_form_would_merge_are_refused() {
    for text in [
        "9007199254740992",
        "-9007199254740992",
        "9007199254740992.0",
        "0",
        "-0",
        "0.1",
        "1e15",
        "1e-300",
        "4503599627370496.5",
    ] {
        assert!(!is_refused(json!({"n": number(text)})), "{text}");
    }
    for text in [
        "9007199254740993",
        "-9007199254740993",
        "9223372036854775807",
        "-9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "123456789012345678901234567890",
        "-123456789012345678901234567890",
        "123456789012345678.0",
        "1e16",
        "1e300",
    ] {
        assert!(is_refused(json!({"n": number(text)})), "{text}");
        assert!(is_refused(json!([{"deep": [number(text)]}])), "{text}");
        assert!(!is_refused(json!({"n": text})), "{text}");
    }
}

fn number(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn nul_is_refused_wherever_it_is() {
    for value in [
        json!("Acme moved\u{0} to Shenzhen."),
        json!("\u{0}"),
        json!({"text": "a\u{0}"}),
        json!({"a\u{0}": 1}),
        json!([["x", {"y": "\u{0}z"}]]),
    ] {
        assert!(is_refused(value));
    }
}

#[test]
fn what_says_nothing_is_refused() {
    for text in ["", "   ", "\u{200b}", "\n\t"] {
        assert!(is_refused(json!(text)), "{text:?}");
        assert!(is_refused(json!({"text": text})), "{text:?}");
        assert!(is_refused(json!({"text": text, "lang": "en"})), "{text:?}");
    }
    for value in [json!(null), json!(false), json!(0), json!({}), json!([]), json!({"text": null})] {
        assert!(!is_refused(value.clone()), "{value}");
    }
}

#[test]
fn one_content_has_one_canonical_form_and_two_have_two() {
    let canonical = |text: &str| content(number(text)).canonical();
    for (one, other) in [
        (r#"{"a":1,"b":2}"#, r#"{ "b" : 2, "a" : 1 }"#),
        (r#"{"a":1}"#, r#"{"a":1.0}"#),
        (r#"{"a":10}"#, r#"{"a":1e1}"#),
        (r#"{"a":0}"#, r#"{"a":-0.0}"#),
        (r#""\u0041""#, r#""A""#),
        (r#""\/""#, r#""/""#),
    ] {
        assert_eq!(canonical(one), canonical(other));
    }
    for (one, other) in [
        (r#"{"a\":1,\"b":2}"#, r#"{"a":1,"b":2}"#),
        (r#"{"x":null}"#, r#"{"x":{}}"#),
        (r#"{"x":null}"#, r#"{}"#),
        (r#"[1]"#, r#"["1"]"#),
        (r#"[1,2]"#, r#"[2,1]"#),
        (r#"[[]]"#, r#"[{}]"#),
        (r#""東京に住んでいる""#, r#""大阪で働いている""#),
        (r#""東京に住んでいる""#, r#""أسكن في القاهرة""#),
        (r#""cafe\u0301""#, r#""caf\u00e9""#),
    ] {
        assert_ne!(canonical(one), canonical(other));
        assert_ne!(content(number(one)).hash(), content(number(other)).hash());
    }
}

#[test]
fn a_search_sees_every_string_and_number_in_canonical_order() {
    let said =
        content(json!({"b": ["two", 3, true, null], "a": "one", "\u{1f600}": "five", "\u{ff01}": "six"}));
    assert_eq!(said.text().as_str(), "one\ntwo\n3\nfive\nsix");
}

#[test]
fn one_statement_is_one_form_however_it_was_spaced() {
    let statement = |value: Value| content(value).statement();
    assert_eq!(
        statement(json!({"text": "tea,  not\ncoffee "})),
        statement(json!({"text": "tea, not coffee"}))
    );
    assert_eq!(statement(json!(["cafe\u{301}"])), statement(json!(["caf\u{e9}"])));
    assert_ne!(statement(json!({"text": "Tea"})), statement(json!({"text": "tea"})));
    assert_ne!(statement(json!({"text": "tea"})), statement(json!("tea")));
    assert_ne!(
        statement(json!("Production deployment is allowed")),
        statement(json!("Production deployment is not allowed"))
    );
}

/// Any JSON that a content may be.
pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-1_000_000_i64..1_000_000).prop_map(Value::from),
        (-1.0e6..1.0e6_f64).prop_map(Value::from),
        prop::sample::select(vec![-0.0, 3.0, 1e15, 1e-7, 5e-324, -9_007_199_254_740_992.0])
            .prop_map(Value::from),
        "[a-zé京\u{1f600} \"\\\\]{1,8}".prop_map(|text| Value::from(format!("x{text}"))),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-z\u{ff01}\u{1f600}\"]{1,3}", inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// The same JSON with the members of every object put in in the other order.
fn reversed(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(reversed).collect(),
        Value::Object(members) => {
            let backwards = members.iter().rev().map(|(name, member)| (name.clone(), reversed(member)));
            Value::Object(backwards.collect::<Map<_, _>>())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

proptest! {
    #[test]
    fn the_order_of_members_changes_nothing(value in any_json()) {
        let (one, other) = (content(value.clone()), content(reversed(&value)));
        prop_assert_eq!(one.canonical(), other.canonical());
        prop_assert_eq!(one.text(), other.text());
        prop_assert_eq!(one.statement(), other.statement());
        prop_assert_eq!(one.hash(), other.hash());
    }

    #[test]
    fn the_canonical_form_is_the_same_content(value in any_json()) {
        let one = content(value);
        let again = content(serde_json::from_str(&one.canonical()).unwrap());
        prop_assert_eq!(again.canonical(), one.canonical());
        prop_assert_eq!((again.text(), again.statement()), (one.text(), one.statement()));
        let stored: Content = serde_json::from_value(serde_json::to_value(&one).unwrap()).unwrap();
        prop_assert_eq!(stored.canonical(), one.canonical());
    }

    #[test]
    fn debug_never_shows_a_word(text in "[a-z]{8,20}") {
        let said = content(json!({"text": text, text.clone(): [text]}));
        let shown = format!("{said:?}");
        prop_assert_eq!(shown, format!("Content({} bytes)", said.size()));
    }
}
