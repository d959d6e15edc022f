//! Which tokens a text and a query give.

use proptest::prelude::*;

use super::{of_query, of_text};

fn check_query(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(of_query(text).own().join(" "), *expected, "{text:?}");
    }
}

#[test]
fn words_of_queries() {
    check_query(&[
        ("pre-edit", "wedit wpre"),
        ("don't", "sdont"),
        ("don’t", "sdont"),
        ("dont", "sdont"),
        ("GB/s", "wgb ws"),
        ("20.04", "w04 w20"),
        ("C++", "wc"),
        ("a:b", "wb"),
        ("AND", "sand"),
        ("NOT allowed", "wallow"),
        ("edit OR", "wedit"),
        ("NEAR(", "wnear"),
        ("^x", "wx"),
        ("snake_case", "wcase wsnake"),
        ("v2 H2O 50km", "w50km wh2o wv2"),
        ("running runs run", "wrun"),
        ("Ann's we'll", "wann"),
        ("O'Brien's l'avion", "wavion wbrien wl wo"),
        ("'quoted' ''", "wquot"),
        ("what is the", "sis sthe swhat"),
    ]);
}

#[test]
fn nothing_to_look_for() {
    let empty =
        ["", " \t\n", "(", ")", "*", "\"", "-", "^", "'", "’’", "…", "🎂🎉", "\0", "\u{200b}\u{feff}"];
    check_query(&empty.map(|text| (text, "")));
}

#[test]
fn one_form_of_many() {
    for (one, other) in [
        ("crème", "creme"),
        ("cre\u{300}me", "crème"),
        ("Straße", "STRASSE"),
        ("ﬁne", "fine"),
        ("ＦＵＬＬ", "full"),
        ("ΟΔΟΣ", "οδός"),
        ("чёрный", "ЧЕРНЫЙ"),
        ("القَهْوَة", "القهوة"),
        ("שָׁלוֹם", "שלום"),
        ("İstanbul", "istanbul"),
        ("soft\u{ad}ware", "software"),
        ("ﾀﾜｰ", "タワー"),
        ("か\u{3099}", "が"),
        ("x²", "x2"),
    ] {
        assert_eq!(of_query(one), of_query(other), "{one} {other}");
    }
    for (one, other) in [("が", "か"), ("हिन्दी", "हनद"), ("กา", "กี"), ("тест", "test")]
    {
        assert_ne!(of_query(one), of_query(other), "{one} {other}");
    }
}

#[test]
fn a_run_without_spaces_gives_characters_and_pairs() {
    let indexed = of_text("设备清");
    assert_eq!(indexed.terms, "ge8aebe ge5a487 ge6b885 ge8aebee5a487 ge5a487e6b885");
    assert_eq!(indexed.length, 3);
    check_query(&[("设备", "ge8aebee5a487"), ("设", "ge8aebe"), ("重itgc后", "ge5908e ge9878d witgc")]);
}

#[test]
fn length_counts_no_stop_words() {
    let indexed = of_text("This is the tea of Ann, don't!");
    assert_eq!(indexed.terms, "sthis sis sthe wtea sof wann sdont");
    assert_eq!(indexed.length, 2);
}

#[test]
fn a_long_word_is_cut_alike_in_text_and_query() {
    let word = "ж".repeat(20_000);
    let words = of_query(&word);
    assert_eq!(words.own().into_iter().map(str::len).collect::<Vec<_>>(), [1 + 64 * 4]);
    assert!(words.tokens().contains(of_text(&word).terms.as_str()));
}

proptest! {
    #[test]
    fn tokens_are_plain_ascii_and_queries_find_their_own_text(text in ".{0,60}") {
        let indexed = of_text(&text);
        prop_assert!(indexed.terms.bytes().all(|b| b == b' ' || b.is_ascii_lowercase() || b.is_ascii_digit()));
        let stored: Vec<_> = indexed.terms.split(' ').collect();
        let words = of_query(&text);
        prop_assert!(words.own().iter().all(|token| stored.contains(token)));
        prop_assert!(words.tokens().iter().all(|token| token.len() > 1 && !token.starts_with('r')));
        prop_assert!(words.places().values().all(|place| *place < words.count()));
    }
}
