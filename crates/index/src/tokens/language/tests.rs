//! Which language a text is taken for, and which words it then shares with another.

use super::super::{of_query, of_text};
use super::Language;

fn language(text: &str) -> Language {
    super::super::Pieces::of(text).language
}

/// Whether a query finds a text by a word that is not small.
fn finds(query: &str, text: &str) -> bool {
    let words = of_query(query);
    of_text(text).terms.split(' ').any(|token| !token.starts_with('s') && words.tokens().contains(token))
}

#[test]
fn a_language_is_told_by_its_small_words() {
    for (text, expected) in [
        ("Ana drinks tea in the morning", Language::English),
        ("Mia trinkt morgens keinen Kaffee, weil er ihr nicht schmeckt", Language::German),
        ("Ana vive en Lisboa con su perro", Language::Spanish),
        ("Marie habite à Paris avec son chat", Language::French),
        ("Giulia abita a Roma con i suoi gatti e non mangia carne", Language::Italian),
        ("Sanne woont niet meer in Utrecht", Language::Dutch),
        ("A Ana não gosta do café", Language::Portuguese),
        ("Elsa bor inte i Malmö", Language::Swedish),
        ("Анна не любит кофе", Language::Russian),
    ] {
        assert_eq!(language(text), expected, "{text}");
    }
}

#[test]
fn a_small_word_of_any_language_is_a_token_that_no_engine_reads_anything_into() {
    for language in Language::ALL {
        for word in language.small_words().split_whitespace() {
            // Beside enough others of its language to be taken for one of it.
            let terms = of_text(&format!("{word} {}", language.small_words())).terms;
            assert!(
                terms.bytes().all(|b| b == b' ' || b.is_ascii_lowercase() || b.is_ascii_digit()),
                "{terms}"
            );
            let words = of_query(word);
            assert!(words.tokens().iter().all(|token| token.is_ascii()), "{word}");
        }
    }
    assert!(of_text("и в не").terms.split(' ').all(|token| token.starts_with('s')));
}

#[test]
fn names_and_english_words_make_no_text_foreign() {
    for text in [
        "Maria de la Cruz",
        "Los Angeles, Las Vegas and El Paso",
        "Los Angeles, Las Vegas, El Paso, La Paz, Los Gatos",
        "Vincent van Gogh",
        "Mia met Ben at the door",
        "Man of war",
        "Dan, plus Hans",
        "pour till ten",
        "",
        "2026",
    ] {
        assert_eq!(language(text), Language::English, "{text}");
    }
}

#[test]
fn a_word_is_found_in_its_other_forms() {
    for (query, text) in [
        ("Welche Bücher mag sie?", "Sie hat ein Buch nicht gelesen, aber viele andere Bücher"),
        ("¿Qué canciones le gustan?", "Le gusta una canción de su madre"),
        ("¿Que cancion le gusta?", "Le gustan las canciones de su madre"),
        ("Quels livres lit-elle ?", "Elle lit un livre sur les chevaux"),
        ("Che libri legge?", "Non legge più quel libro"),
        ("Welke boeken leest zij?", "Zij leest een boek over paarden"),
        ("Quais livros ela leu?", "Ela não leu o livro"),
        ("Vilka böcker läser hon?", "Hon läser en bok, inte alla böckerna"),
        ("Какие книги она читает?", "Она не читала эту книгу"),
    ] {
        assert!(finds(query, text), "{query} / {text}");
    }
}

#[test]
fn a_name_is_found_whatever_is_spoken_around_it() {
    for text in
        ["Müller wohnt nicht mehr in Köln", "Señora Müller vive en Lisboa con su perro", "Müller lives here"]
    {
        for query in
            ["Where does Müller live?", "muller", "Wo wohnt denn Müller?", "Où habite Müller avec son chat ?"]
        {
            assert!(finds(query, text), "{query} / {text}");
        }
    }
}

#[test]
fn small_words_alone_find_nothing_where_there_are_others() {
    assert!(!finds("Wie ist das mit dem Hund?", "Das ist nicht so, wie es mit der Katze war"));
    assert!(!finds("¿Dónde está el perro?", "Ella está con el gato"));
}
