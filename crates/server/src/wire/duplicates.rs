//! Facts that seem to say the same, as programs read them.

use serde::Serialize;
use truthkeeper::{Duplicate, Duplicates, NoMeaning};
use utoipa::ToSchema;

use super::Fact;

/// The pairs, and what they were looked for among.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Alike<'a> {
    duplicates: Vec<Pair<'a>>,
    compared: usize,
    facts_left_out: bool,
    pairs_left_out: bool,
    by_words_alone: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_meaning: Option<&'static str>,
}

#[derive(Debug, Serialize, ToSchema)]
struct Pair<'a> {
    older: Fact<'a>,
    newer: Fact<'a>,
}

impl<'a> Alike<'a> {
    /// What a search for duplicates came to.
    pub fn of(found: &'a Duplicates) -> Self {
        let Duplicates { pairs, compared, facts_left_out, pairs_left_out, by_words_alone, no_meaning } =
            found;
        let pair = |pair: &'a Duplicate| Pair { older: Fact::of(&pair.older), newer: Fact::of(&pair.newer) };
        Self {
            duplicates: pairs.iter().map(pair).collect(),
            compared: *compared,
            facts_left_out: *facts_left_out,
            pairs_left_out: *pairs_left_out,
            by_words_alone: *by_words_alone,
            no_meaning: no_meaning.map(code),
        }
    }
}

fn code(why: NoMeaning) -> &'static str {
    match why {
        NoMeaning::NoEmbeddings => "no-embeddings",
        NoMeaning::OtherModel => "other-model",
        NoMeaning::IndexUnreachable => "index-unreachable",
    }
}
