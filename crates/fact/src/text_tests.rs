//! Typed words: what is blank, what is folded, and that they are never printed (LED-13, LED-24).

use crate::samples::refused_field;
use crate::{Text, folded, hides_text, is_blank, reorders_text};

#[test]
fn what_a_person_cannot_see_is_blank() {
    for blank in
        ["", "   ", "\u{200b}", "\n\t", "\u{feff}\u{2060}", "\u{3000}", "\u{e0041}", "\u{ad}", "\u{7f}"]
    {
        assert!(is_blank(blank), "{blank:?}");
        assert_eq!(refused_field(Text::parse("reason", blank, 10)), "reason", "{blank:?}");
    }
    for seen in ["a", " a ", "\u{200b}a", "。", "👨\u{200d}👩", "0"] {
        assert!(!is_blank(seen), "{seen:?}");
        assert!(Text::parse("reason", seen, 10).is_ok(), "{seen:?}");
    }
}

#[test]
fn text_may_hold_lines_but_no_nul_and_no_more_than_its_limit() {
    assert!(Text::parse("reason", "one\n two\t", 20).is_ok());
    assert!(Text::parse("reason", "a\0b", 20).is_err());
    assert!(Text::parse("reason", &"京".repeat(20), 20).is_ok());
    assert!(Text::parse("reason", &"京".repeat(21), 20).is_err());
}

#[test]
fn one_statement_is_one_form_however_it_was_spaced() {
    for (one, other) in [
        ("tea,  not coffee", "tea, not\n coffee "),
        ("cafe\u{301}", "caf\u{e9}"),
        ("a\u{a0}b", "a b"),
        ("a\u{3000}b", "a b"),
    ] {
        assert_eq!(folded(one), folded(other));
    }
    for (one, other) in [
        ("Tea", "tea"),
        ("東京に住んでいる", "大阪で働いている"),
        ("東京に住んでいる", "أسكن في القاهرة"),
        ("tea", "te a"),
        ("a.", "a"),
        ("ﬁ", "fi"),
    ] {
        assert_ne!(folded(one), folded(other));
    }
}

#[test]
fn debug_prints_the_length_only() {
    let text = Text::parse("reason", "SECRET-京", 20).unwrap();
    assert_eq!(format!("{text:?}"), "Text(8 chars)");
}

#[test]
fn what_hides_words_is_noticed_and_what_needs_joiners_is_not() {
    let tagged: String =
        "IGNORE ALL".chars().filter_map(|c| char::from_u32(0xe0000 + u32::from(c))).collect();
    let england = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}";
    for hiding in [format!("Prefers tea{tagged}"), format!("{england} x{tagged}"), "a\u{2062}b".to_owned()] {
        assert!(hides_text(&hiding), "{}", hiding.escape_unicode());
    }
    for plain in ["Prefers tea", england, "می\u{200c}خواهم", "👨\u{200d}👩\u{200d}👧", "a\u{200b}b"]
    {
        assert!(!hides_text(plain), "{}", plain.escape_unicode());
    }
    assert!(reorders_text("pay \u{202e}001\u{202c}") && reorders_text("\u{202d}abc"));
    for plain in ["اسمي آنا", "שלום \u{200f}Ann", "\u{2067}עברית\u{2069}", "می\u{200c}خواهم"]
    {
        assert!(!reorders_text(plain), "{}", plain.escape_unicode());
    }
}
