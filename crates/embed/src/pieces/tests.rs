//! Where long text is cut.

use proptest::prelude::*;

use super::by_characters;

#[track_caller]
fn check(text: &str, max: usize, expected: &[&str]) {
    assert_eq!(by_characters(text, max), expected);
}

#[test]
fn text_is_cut_where_people_pause() {
    check("short", 5, &["short"]);
    check("", 5, &[]);
    check(" ", 5, &[" "]);
    check("One two. Three four", 14, &["One two. ", "Three four"]);
    check("One two three four", 14, &["One two three ", "four"]);
    check("one,two,three,four", 14, &["one,two,three,", "four"]);
    check("first line\nsecond line", 14, &["first line\n", "second line"]);
    check("今日は雨。明日は晴れ", 6, &["今日は雨。", "明日は晴れ"]);
    check("abcdefghij", 4, &["abcd", "efgh", "ij"]);
    check("ab cdefghijklm", 6, &["ab ", "cdefgh", "ijklm"]);
}

#[test]
fn a_limit_of_nothing_is_one_character() {
    check("éß", 0, &["é", "ß"]);
}

proptest! {
    #[test]
    fn nothing_is_lost_and_no_piece_is_too_long(text in "[a-c .。é\n\u{301}👍]{0,60}", max in 1_usize..12) {
        let pieces = by_characters(&text, max);
        prop_assert_eq!(pieces.concat(), text);
        prop_assert!(pieces.iter().all(|piece| (1..=max).contains(&piece.chars().count())), "{:?}", pieces);
    }
}
