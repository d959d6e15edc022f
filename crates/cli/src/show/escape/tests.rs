//! Nothing that a terminal obeys gets through, and nothing that people write is touched.

use super::{in_json, in_line, in_lines};

#[test]
fn what_rewrites_a_terminal_is_shown() {
    for (given, shown) in [
        ("\u{1b}[2J", "\\u{1b}[2J"),
        ("a\u{9b}31mb", "a\\u{9b}31mb"),
        ("\u{7f}\u{8}", "\\u{7f}\\u{8}"),
        ("user\u{202e}nimda", "user\\u{202e}nimda"),
        ("\u{61c}\u{200e}\u{200f}\u{2066}\u{2069}", "\\u{61c}\\u{200e}\\u{200f}\\u{2066}\\u{2069}"),
        ("zero\u{200b}width\u{feff}", "zero\\u{200b}width\\u{feff}"),
        ("tag\u{e0041}", "tag\\u{e0041}"),
        ("\u{2028}", "\\u{2028}"),
        ("one\r\ntwo\tthree", "one\\r\\ntwo\\tthree"),
    ] {
        assert_eq!(in_line(given), shown);
    }
    assert_eq!(in_lines("one\ntwo\r"), "one\ntwo\\r");
}

#[test]
fn what_people_write_is_left_alone() {
    for text in [
        "مرحبا بالعالم",
        "שלום עולם",
        "漢字かな交じり文",
        "👩\u{200d}👩\u{200d}👧 ❤\u{fe0f}",
        "می\u{200c}خواهم",
        "naïve – “x”",
    ] {
        assert_eq!(in_line(text), text);
        assert_eq!(in_json(text), text);
    }
}

#[test]
fn json_stays_the_same_json() {
    let text = "esc \u{1b} bidi \u{202e} tag \u{e0041} c1 \u{9b} del \u{7f} line\nأ";
    let json = serde_json::to_string(text).unwrap();
    let shown = in_json(&json);
    assert_eq!(shown, r#""esc \u001b bidi \u202e tag \udb40\udc41 c1 \u009b del \u007f line\nأ""#);
    assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
}
