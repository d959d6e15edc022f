//! Whom a query is about, where it names exactly one of those who spoke.

use std::collections::HashSet;

use fact::{Reader, Sight};

use crate::tokens;

/// What chat protocols call the person who talks with an agent.
const PERSON: &str = "user";
/// The words by which one speaks of oneself, as tokens of a text.
const ONESELF: [&str; 5] = ["si", "sme", "smy", "smyself", "wmine"];

/// What a query names.
pub(crate) struct Naming {
    tokens: HashSet<String>,
    /// The names under which the one speaks who asks about themselves.
    oneself: HashSet<String>,
}

impl Naming {
    /// What `text` names when `reader` asks it.
    pub(crate) fn of(reader: &Reader, text: &str) -> Self {
        let tokens: HashSet<String> = tokens::of_text(text).terms.split(' ').map(str::to_owned).collect();
        let asks_of_oneself = ONESELF.iter().any(|word| tokens.contains(*word));
        let oneself = if asks_of_oneself { names(&reader.sight) } else { HashSet::new() };
        Self { tokens, oneself }
    }

    /// The one of `speakers` that is named; none where it is none of them, or several.
    pub(crate) fn only<'a>(&self, speakers: impl Iterator<Item = &'a str>) -> Option<&'a str> {
        let mut named: Vec<&str> = speakers.filter(|speaker| self.names(speaker)).collect();
        named.sort_unstable();
        named.dedup();
        match named.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Whether all words of the speaker's name are there; a name of stop words only is never meant.
    fn names(&self, speaker: &str) -> bool {
        let name = tokens::of_query(speaker);
        let is_named = || {
            let mut words = name.iter().filter(|token| !tokens::is_stop_token(token)).peekable();
            words.peek().is_some() && words.all(|word| self.tokens.contains(word))
        };
        self.oneself.contains(speaker) || is_named()
    }
}

/// The names under which one speaks who sees that far.
fn names(sight: &Sight) -> HashSet<String> {
    let mut names = HashSet::from([PERSON.to_owned()]);
    match sight {
        Sight::Within(access) => {
            let participants = access.participants.iter().map(|(_, participant)| participant);
            names.extend(access.users.iter().chain(participants).map(ToString::to_string));
        }
        // Whom the key acts for is nobody's end user.
        Sight::InRun(_, run, _) => {
            let scope = run.scope();
            names.extend([&scope.user, &scope.participant].into_iter().flatten().map(ToString::to_string));
        }
        Sight::Admin | Sight::Operator => {}
    }
    names
}

#[cfg(test)]
mod tests;
