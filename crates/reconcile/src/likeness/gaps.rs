//! A statement with one word left out: what is the same in two statements that answer one question differently.

use super::Gist;
use super::tokens::{Token, Weight};

/// A statement with one word left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Gap {
    /// The rest, and the kind of word that is missing.
    pub(crate) rest: String,
    /// The word that is missing.
    pub(crate) word: String,
}

impl Gist {
    /// It without each word of which another would make another statement: a number, a day, a name, one of a group.
    /// A name or a plain word that it begins with is whom it is about, so another one contradicts nothing.
    pub(crate) fn gaps(&self) -> Vec<Gap> {
        if self.said.len() < 2 {
            return Vec::new();
        }
        let places = self.said.iter().enumerate();
        places.filter_map(|(place, token)| Some(self.gap(place, &kind(place, token)?))).collect()
    }

    fn gap(&self, gap: usize, kind: &str) -> Gap {
        let rest = self
            .said
            .iter()
            .enumerate()
            .map(|(place, token)| if place == gap { format!("\u{1}{kind}") } else { token.text.clone() });
        let rest = rest.collect::<Vec<_>>().join(" ");
        let denied = if self.denied { "\u{1}not " } else { "" };
        Gap { rest: format!("{denied}{rest}"), word: self.said[gap].text.clone() }
    }

    /// What it says, with nothing of how it was spaced or spelled: two that are equal are near.
    pub(crate) fn signature(&self) -> String {
        let said: Vec<String> =
            self.said.iter().map(|token| format!("{:?}{}", token.weight, token.text)).collect();
        format!("{} {}", self.denied, said.join(" "))
    }
}

/// What kind of word is missing.
fn kind(place: usize, token: &Token) -> Option<String> {
    match (token.weight, token.group) {
        (Weight::Fixed, _) => Some("number".to_owned()),
        (Weight::Name, _) if place > 0 => Some("name".to_owned()),
        (Weight::Beginning | Weight::Sign | Weight::Word, Some(group)) if place > 0 => {
            Some(format!("group {group}"))
        }
        (Weight::Name | Weight::Beginning | Weight::Sign | Weight::Word, _) => None,
    }
}
