//! What is found by which words.

use truthkeeper_index::IndexError;

use crate::support::{fact, facts, found, on_both, put, reader};

/// RCL-01: a stored text, and a query that would be syntax if any engine read it.
const LITERAL: [(&str, &str); 20] = [
    ("check before the pre-edit hook", "pre-edit"),
    ("I don't drink milk", "don't"),
    ("I dont drink milk", "don't"),
    ("I don’t drink milk", "dont"),
    ("reads 3 GB/s from disk", "GB/s"),
    ("runs Ubuntu 20.04", "20.04"),
    ("writes C++ at work", "C++"),
    ("ratio a:b:zulu", "zulu:b"),
    ("this and that", "AND"),
    ("smoking is not allowed", "NOT allowed"),
    ("edit the file", "edit OR"),
    ("near the station", "NEAR("),
    ("the caret", "^caret"),
    ("the star", "star*"),
    ("the quote", "\"quote"),
    ("the quote", "'quote' & | ! <-> :*"),
    ("the column", "terms:column {readers terms}: column"),
    ("to be or not to be", "to be or not to be"),
    ("the end", "-end"),
    ("nul here", "nul\0here"),
];

#[tokio::test]
async fn no_query_text_is_syntax() {
    on_both(|index| async move {
        let writes: Vec<_> =
            (1..).zip(LITERAL).map(|(n, (text, _))| put(n, &format!("user:u{n}"), text)).collect();
        index.replace(&writes).await.unwrap();
        for (n, (_, query)) in (1..).zip(LITERAL) {
            let own = reader(&format!("user:u{n}"));
            assert_eq!(facts(&index, &own, query).await, [fact(n)], "{query}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_query_without_letters_finds_nothing() {
    on_both(|index| async move {
        index.replace(&[put(1, "user:ann", "( ) * ! 🎂"), put(2, "user:ann", "tea")]).await.unwrap();
        for query in ["", " ", "(", ")", "*", "\"", "-", "^", "''", "…", "🎂", "\u{200b}", "\0"] {
            assert_eq!(facts(&index, &reader("user:ann"), query).await, [], "{query:?}");
        }
    })
    .await;
}

/// RCL-03 and RCL-04, other scripts, and forms of one word.
const FOUND: [(&str, &str); 21] = [
    ("设备清单(devices) NAS", "设备"),
    ("设备清单(devices) NAS", "清单"),
    ("设备清单(devices) NAS", "备"),
    ("设备清单(devices) NAS", "nas"),
    ("重跑gen-itgc后50条", "itgc"),
    ("重跑gen-itgc后50条", "50"),
    ("每天看早报", "早报"),
    ("flies with NA tomorrow", "NA"),
    ("東京タワーへ行く", "タワー"),
    ("ﾀﾜｰ", "タワー"),
    ("서울에서 일한다", "서울"),
    ("ผมชอบกาแฟ", "กาแฟ"),
    ("هو يحب القَهْوَة", "القهوة"),
    ("пьёт чёрный кофе", "ЧЕРНЫЙ"),
    ("wohnt in der Straße", "STRASSE"),
    ("crème brûlée", "creme"),
    ("cre\u{301}me", "crème"),
    ("she was running", "runs"),
    ("Ann's birthday", "birthdays of Ann"),
    ("हिन्दी सीखता है", "हिन्दी"),
    ("a soft\u{ad}ware shop", "software"),
];

#[tokio::test]
async fn words_are_found_in_any_script_and_form() {
    on_both(|index| async move {
        let writes: Vec<_> =
            (1..).zip(FOUND).map(|(n, (text, _))| put(n, &format!("user:u{n}"), text)).collect();
        index.replace(&writes).await.unwrap();
        for (n, (_, query)) in (1..).zip(FOUND) {
            let own = reader(&format!("user:u{n}"));
            assert_eq!(facts(&index, &own, query).await, [fact(n)], "{query}");
        }
        assert_eq!(facts(&index, &reader("user:u1"), "清备").await, []);
    })
    .await;
}

#[tokio::test]
async fn the_better_match_comes_first_and_the_newer_among_equals() {
    on_both(|index| async move {
        let texts = ["green tea", "tea", "tea", "green tea with milk in a cup", "nothing of it"];
        let writes: Vec<_> = (1..).zip(texts).map(|(n, text)| put(n, "user:ann", text)).collect();
        index.replace(&writes).await.unwrap();
        let candidates = found(&index, &reader("user:ann"), "green tea").await;
        let order: Vec<_> = candidates.iter().map(|candidate| candidate.fact).collect();
        assert_eq!(order, [fact(1), fact(4), fact(3), fact(2)]);
        assert!(candidates.iter().all(|candidate| candidate.score > 0.0));
    })
    .await;
}

#[tokio::test]
async fn the_longest_query_does_no_harm() {
    on_both(|index| async move {
        index.replace(&[put(1, "user:ann", "word7 设备")]).await.unwrap();
        let words: String = (0..2_000).map(|n| format!("word{n} ")).collect();
        let characters: String = ('\u{4e00}'..).take(10_000).chain("设备".chars()).collect();
        for query in [words, characters] {
            let found: Result<_, IndexError> =
                index.search(&reader("user:ann"), &crate::support::query(&query)).await;
            assert_eq!(found.unwrap().candidates.len(), 1);
        }
    })
    .await;
}

#[tokio::test]
async fn words_are_found_in_their_other_forms_in_the_language_of_the_text() {
    on_both(|index| async move {
        let texts = [
            "Sie hat das Buch nicht gelesen, weil es ihr nicht gefällt",
            "Le gusta una canción de su madre",
            "Müller wohnt nicht mehr in Köln",
            "Mia reads books in the evening",
        ];
        let writes: Vec<_> = (1..).zip(texts).map(|(number, text)| put(number, "user:ann", text)).collect();
        index.replace(&writes).await.unwrap();
        for (text, expected) in [
            ("Welche Bücher?", 1),
            ("¿Qué canciones le gustan?", 2),
            ("Where does Müller live?", 3),
            ("a book", 4),
        ] {
            assert_eq!(facts(&index, &reader("user:ann"), text).await, [fact(expected)], "{text}");
        }
    })
    .await;
}
