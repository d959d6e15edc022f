//! Which language a text is in, told by the small words that it uses, and what that means for its other words.

mod words;

use std::collections::HashMap;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};

use super::fold;

/// A language that has small words and endings of its own here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Language {
    /// Also that of a text of which nothing is known.
    English,
    /// German.
    German,
    /// Spanish.
    Spanish,
    /// French.
    French,
    /// Italian.
    Italian,
    /// Dutch.
    Dutch,
    /// Portuguese.
    Portuguese,
    /// Swedish.
    Swedish,
    /// Russian.
    Russian,
}

/// How much a word tells of a language: what names have, too, tells little, and never alone.
const TELLS: u32 = 4;
const TELLS_LITTLE: u32 = 1;

/// The languages that have each small word, and how much that tells.
static SMALL_WORDS: LazyLock<HashMap<String, (u32, Vec<Language>)>> = LazyLock::new(|| {
    let mut small: HashMap<String, (u32, Vec<Language>)> = HashMap::new();
    for language in Language::ALL {
        for word in language.small_words().split_whitespace() {
            let (_, known) = small.entry(fold::plain(word)).or_insert((TELLS, Vec::new()));
            known.push(language);
        }
    }
    let is_english = |word: &str| words::ENGLISH_TOO.split_whitespace().any(|english| english == word);
    for (word, (tells, languages)) in &mut small {
        let is_shared = languages.len() > 1 && languages.contains(&Language::English);
        if is_shared || is_english(word) || (word.len() == 1) {
            *tells = 0;
        } else if words::NAMES.split_whitespace().any(|name| name == word) {
            *tells = TELLS_LITTLE;
        }
    }
    small
});

impl Language {
    /// All of them.
    pub(crate) const ALL: [Self; 9] = [
        Self::English,
        Self::German,
        Self::Spanish,
        Self::French,
        Self::Italian,
        Self::Dutch,
        Self::Portuguese,
        Self::Swedish,
        Self::Russian,
    ];

    /// The language of a text, by its words without their accents, and the letters that it has: the one that more of
    /// them tell of than of any other. English where they tell of none, or of several alike.
    pub(crate) fn of<'a>(words: impl Iterator<Item = &'a str>, text: &str) -> Self {
        let mut told: HashMap<Self, u32> = HashMap::new();
        let mut certain: Vec<Self> = Vec::new();
        for (tells, languages) in words.filter_map(|word| SMALL_WORDS.get(word)) {
            languages.iter().for_each(|language| *told.entry(*language).or_default() += tells);
            certain.extend(languages.iter().filter(|_| *tells == TELLS));
        }
        for language in Self::ALL {
            if text.contains(language.letters()) {
                *told.entry(language).or_default() += TELLS_LITTLE;
            }
        }
        let most = told.values().copied().max().unwrap_or(0);
        let mut best = told.into_iter().filter(|(_, tells)| *tells == most).map(|(language, _)| language);
        match (best.next(), best.next()) {
            (Some(only), None) if certain.contains(&only) => only,
            (_, _) => Self::English,
        }
    }

    /// Whether a word without its accents says little by itself.
    pub(crate) fn has_small(self, word: &str) -> bool {
        SMALL_WORDS.get(word).is_some_and(|(_, languages)| languages.contains(&self))
    }

    /// A word without its ending and its accents, as it is said and `plain`, without them.
    pub(crate) fn stem(self, said: &str, plain: &str) -> String {
        let stem = |algorithm, word: &str| Stemmer::create(algorithm).stem(word).into_owned();
        let algorithm = match self {
            // As it is typed with and without accents.
            Self::English => {
                let is_ascii = plain.bytes().all(|b| b.is_ascii_lowercase());
                return if is_ascii { stem(Algorithm::English, plain) } else { plain.to_owned() };
            }
            Self::German => Algorithm::German,
            // Words that end so have this accent, whether or not it is typed.
            Self::Spanish => return fold::plain(&stem(Algorithm::Spanish, &accented(said))),
            Self::French => Algorithm::French,
            Self::Italian => Algorithm::Italian,
            Self::Dutch => Algorithm::Dutch,
            Self::Portuguese => Algorithm::Portuguese,
            Self::Swedish => Algorithm::Swedish,
            Self::Russian => Algorithm::Russian,
        };
        fold::plain(&stem(algorithm, said))
    }

    /// The words by which one speaks of oneself.
    pub(crate) fn oneself(self) -> &'static [&'static str] {
        match self {
            Self::English => &["i", "me", "my", "myself", "mine"],
            Self::German => &["ich", "mich", "mir", "mein", "meine", "meinem", "meinen", "meiner"],
            Self::Spanish => &["yo", "me", "mi", "mis"],
            Self::French => &["j", "je", "me", "m", "moi", "mon", "ma", "mes"],
            Self::Italian => &["io", "me", "mi", "mio", "mia", "mie", "miei"],
            Self::Dutch => &["ik", "mij", "mijn", "me"],
            Self::Portuguese => &["eu", "me", "meu", "meus", "minha", "minhas"],
            Self::Swedish => &["jag", "mig", "min", "mitt", "mina"],
            Self::Russian => &["я", "меня", "мне", "мнои", "мои", "моя", "мое", "моего", "моеи", "моих"],
        }
    }

    fn small_words(self) -> &'static str {
        match self {
            Self::English => words::ENGLISH,
            Self::German => words::GERMAN,
            Self::Spanish => words::SPANISH,
            Self::French => words::FRENCH,
            Self::Italian => words::ITALIAN,
            Self::Dutch => words::DUTCH,
            Self::Portuguese => words::PORTUGUESE,
            Self::Swedish => words::SWEDISH,
            Self::Russian => words::RUSSIAN,
        }
    }

    /// Letters that few others have.
    fn letters(self) -> &'static [char] {
        match self {
            Self::English | Self::Dutch => &[],
            Self::German => &['ä', 'ö', 'ü'],
            Self::Spanish => &['ñ', 'á', 'í', 'ó', 'ú'],
            Self::French => &['ç', 'è', 'ê', 'à', 'î', 'ù'],
            Self::Italian => &['à', 'è', 'ì', 'ò', 'ù'],
            Self::Portuguese => &['ã', 'õ', 'ç', 'á', 'ê', 'ó'],
            Self::Swedish => &['å', 'ä', 'ö'],
            Self::Russian => &['ы', 'э'],
        }
    }
}

fn accented(word: &str) -> String {
    match word
        .strip_suffix("cion")
        .map(|stem| (stem, "ción"))
        .or(word.strip_suffix("sion").map(|stem| (stem, "sión")))
    {
        Some((stem, ending)) => format!("{stem}{ending}"),
        None => word.to_owned(),
    }
}

#[cfg(test)]
mod tests;
