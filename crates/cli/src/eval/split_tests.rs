//! Cutting long texts: nothing is lost, every part fits, and the cuts lie where a reader would make them.

use proptest::prelude::*;
use serde_json::json;
use truthkeeper::{Content, limits};

use super::split::split;

/// A sentence of 40 characters.
const SENTENCE: &str = "The lighthouse keeper counts ten lights. ";

fn long(unit: &str, times: usize) -> String {
    unit.repeat(times)
}

/// The parts hold the whole text, each as one fact at most, none empty; only blank ones say nothing.
#[track_caller]
fn check(text: &str) -> Vec<&str> {
    let parts = split(text);
    assert_eq!(parts.concat(), text);
    for part in &parts {
        assert!(!part.is_empty());
        assert!(part.chars().count() <= limits::CONTENT_CHARS_MAX);
        let says_something = part.chars().any(char::is_alphanumeric);
        assert!(!says_something || Content::parse(json!({ "text": part })).is_ok());
    }
    parts
}

#[test]
fn what_fits_stays_whole() {
    for text in ["a", "two\n\nparagraphs", &"é".repeat(limits::CONTENT_CHARS_MAX)] {
        assert_eq!(check(text), [text]);
    }
    assert!(check("").is_empty());
}

#[test]
fn one_character_more_makes_two_parts() {
    let parts =
        check(&"x".repeat(limits::CONTENT_CHARS_MAX + 1)).iter().map(|part| part.len()).collect::<Vec<_>>();
    assert_eq!(parts, [limits::CONTENT_CHARS_MAX, 1]);
}

#[test]
fn bytes_are_limited_too() {
    let four_bytes = "🌊".repeat(limits::CONTENT_CHARS_MAX);
    assert_eq!(check(&four_bytes).len(), 2);
    let escaped = "\u{1}".repeat(limits::CONTENT_CHARS_MAX);
    assert!(check(&escaped).len() >= 2);
    let quoted = "\"".repeat(limits::CONTENT_CHARS_MAX);
    assert_eq!(check(&quoted).len(), 1);
}

#[test]
fn cuts_lie_between_paragraphs_else_sentences_else_words() {
    let paragraph = format!("{}\n\n", long(SENTENCE, 300));
    let text = paragraph.repeat(2);
    assert_eq!(check(&text), [paragraph.as_str(), paragraph.as_str()]);

    let text = long(SENTENCE, 1000);
    assert!(check(&text).iter().skip(1).all(|part| part.starts_with(" The lighthouse")));

    let text = long("灯台守は毎晩十の灯を数える。", 3000);
    assert!(check(&text).iter().all(|part| part.ends_with('。')));

    let text = long("lighthouse ", 3000);
    assert!(check(&text).iter().all(|part| part.starts_with("lighthouse") && part.ends_with(' ')));
}

#[test]
fn a_paragraph_that_would_leave_a_part_half_empty_is_cut() {
    let text = format!("short\n\n{}", long(SENTENCE, 400));
    let parts = check(&text);
    assert_eq!(parts.len(), 2);
    assert!(parts[0].chars().count() > limits::CONTENT_CHARS_MAX / 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_comes_back_from_its_parts(
        units in prop::collection::vec(("\\PC{1,8}|[ \\t\\n.!?\"\\\\\u{1}。🌊é]{1,4}", 1_usize..6_000), 0..6)
    ) {
        let text: String = units.iter().map(|(unit, times)| unit.repeat(*times)).collect();
        check(&text);
    }
}
