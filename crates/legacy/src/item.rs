//! What becomes of one row of a source.

use std::fmt;

use fact::{BadInput, Legacy, Text};

/// One row of a source. Each row comes out as exactly one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A memory.
    Row(Legacy),
    /// Nothing that could be a memory.
    Skipped {
        /// Where it stands.
        place: Text,
        /// Why it is none.
        why: Skip,
    },
    /// A memory that is not as it must be.
    Refused {
        /// Where it stands.
        place: Text,
        /// Which field is wrong, and how. Never holds the field's content.
        why: BadInput,
    },
}

/// Why a row is no memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Skip {
    /// It says nothing.
    Blank,
    /// A heading, or the head of a table, with nothing under it.
    Heading,
    /// It only names a file or a note that holds the words.
    Index,
    /// A comment in the markup, or the mark of a code block around the whole.
    Markup,
    /// Data that the program keeps for itself.
    Bookkeeping,
    /// An entity of which nothing was observed.
    BareEntity,
    /// A relation of an entity that is not there.
    LooseRelation,
    /// It was deleted in its source.
    Deleted,
    /// A later state of the same memory is there.
    Earlier,
    /// The same row stands in the source before.
    Duplicate,
    /// A link to somewhere else, which is not followed.
    SymbolicLink,
    /// A file whose content is no text.
    NotText,
    /// A file or folder that holds no memories of this program.
    OtherFile,
}

impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blank => "it says nothing",
            Self::Heading => "a heading with nothing under it",
            Self::Index => "it only names where the words are",
            Self::Markup => "a comment or a mark, no words of the memory",
            Self::Bookkeeping => "data that the program keeps for itself",
            Self::BareEntity => "an entity of which nothing was observed",
            Self::LooseRelation => "a relation of an entity that is not there",
            Self::Deleted => "it was deleted in its source",
            Self::Earlier => "a later state of the same memory is there",
            Self::Duplicate => "the same row stands in the source before",
            Self::SymbolicLink => "a symbolic link, which is not followed",
            Self::NotText => "a file whose content is no text",
            Self::OtherFile => "a file or folder that holds no memories of this program",
        })
    }
}
