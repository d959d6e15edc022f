//! Whom a query is about, where it names exactly one of those who spoke.

use std::collections::HashSet;

use fact::{Reader, Sight};

use crate::tokens;

/// What chat protocols call the person who talks with an agent.
const PERSON: &str = "user";

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
        let oneself = if tokens::speaks_of_oneself(text) { names(&reader.sight) } else { HashSet::new() };
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
        self.oneself.contains(speaker) || tokens::of_query(speaker).are_in(&self.tokens)
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
