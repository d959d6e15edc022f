//! What stands around a text: where it was said, in which place, and by whom.

use std::borrow::Cow;

use fact::{Id, Provenance, Scope};

use crate::IndexError;
use crate::rank::damaged;

/// What stands around a text says half as much of it as the text itself: one share for words and meaning, for
/// neighbours, conversations and speakers alike, so that none of them is fitted to some data (docs/recall.md).
pub(crate) const SHARE: f64 = 0.5;

/// What stands around a row's text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Around {
    /// What it was said in: a conversation, else a run.
    pub conversation: Option<Id>,
    /// Its place there.
    pub sequence: Option<u32>,
    /// The message that it comes from.
    pub message: Option<Id>,
    /// Who said it.
    pub speaker: Option<Id>,
}

impl Around {
    /// Of a text that is kept in `scope` and comes from there.
    pub fn of(scope: &Scope, provenance: &Provenance) -> Self {
        let conversation =
            [&scope.thread, &provenance.thread, &provenance.run].into_iter().find_map(Clone::clone);
        Self {
            conversation,
            sequence: provenance.sequence,
            message: provenance.message.clone(),
            speaker: provenance.speaker.clone(),
        }
    }
}

/// The columns of what stands around a row: conversation, sequence, message, speaker.
pub(crate) type StoredAround = (Option<String>, Option<i64>, Option<String>, Option<String>);

impl Around {
    pub(crate) fn parse(
        (conversation, sequence, message, speaker): StoredAround,
    ) -> Result<Self, IndexError> {
        let id = |column: &str, stored: Option<String>| {
            stored.map(|id| Id::parse("id", &id).map_err(|_| damaged(column, id))).transpose()
        };
        Ok(Self {
            conversation: id("entries.conversation", conversation)?,
            sequence: sequence
                .map(|stored| u32::try_from(stored).map_err(|_| damaged("entries.sequence", stored)))
                .transpose()?,
            message: id("entries.message", message)?,
            speaker: id("entries.speaker", speaker)?,
        })
    }
}

/// What stands around a row as a search reads it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct StoredPlace<'a> {
    /// What it was said in.
    pub(crate) conversation: Option<Cow<'a, str>>,
    /// Its place there.
    pub(crate) sequence: Option<i64>,
    /// The message that it comes from.
    pub(crate) message: Option<Cow<'a, str>>,
    /// Who said it.
    pub(crate) speaker: Option<Cow<'a, str>>,
}

impl<'a> StoredPlace<'a> {
    /// Of a row in memory.
    pub(crate) fn of(around: &'a Around) -> Self {
        let name = |id: &'a Option<Id>| id.as_ref().map(|id| Cow::Borrowed(id.as_str()));
        Self {
            conversation: name(&around.conversation),
            sequence: around.sequence.map(i64::from),
            message: name(&around.message),
            speaker: name(&around.speaker),
        }
    }
}

/// A place that several texts of one scope may share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Spot {
    /// In a conversation, by its number, with a sequence.
    Turn(u32, i64),
    /// A message, by its number, whose place is not known.
    Message(u32),
}

impl Spot {
    /// Where a text stands: a sequence without a conversation orders nothing.
    pub(crate) fn of(conversation: Option<u32>, sequence: Option<i64>, message: Option<u32>) -> Option<Self> {
        match (conversation, sequence, message) {
            (Some(conversation), Some(sequence), _) => Some(Self::Turn(conversation, sequence)),
            (_, _, Some(message)) => Some(Self::Message(message)),
            (_, _, None) => None,
        }
    }

    /// What stands just before and just after.
    pub(crate) fn beside(self) -> [Option<Self>; 2] {
        match self {
            Self::Turn(conversation, sequence) => [sequence.checked_sub(1), sequence.checked_add(1)]
                .map(|at| Some(Self::Turn(conversation, at?))),
            Self::Message(_) => [None, None],
        }
    }
}

#[cfg(test)]
mod tests;
