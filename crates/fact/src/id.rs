//! Ids and numbers, each a type of its own. Ids are made by the front ends and come in as arguments.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{BadInput, limits, text};

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident, $field:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// Wraps a UUID (version 7 for ids that the front ends make).
            pub fn new(id: Uuid) -> Self {
                Self(id)
            }

            /// The UUID.
            pub fn uuid(&self) -> &Uuid {
                &self.0
            }

            /// Reads the hyphenated form; nothing shorter, no prefix, no list number.
            pub fn parse(text: &str) -> Result<Self, BadInput> {
                let hyphenated = Some(text).filter(|text| text.len() == uuid::fmt::Hyphenated::LENGTH);
                let id = hyphenated.and_then(|text| Uuid::try_parse(text).ok());
                id.map(Self).ok_or_else(|| {
                    BadInput::new($field, "must be a full id such as 01981f6e-6a1c-7c3e-8f0a-0123456789ab")
                })
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }
    };
}

uuid_id!(
    /// The lasting identity of one fact.
    FactId,
    "fact"
);
uuid_id!(
    /// The contested revisions of one fact, waiting for its owner.
    ConflictId,
    "conflict"
);
uuid_id!(
    /// A proposal held back for its owner.
    ReviewId,
    "review"
);
uuid_id!(
    /// What one recall gave, as it is kept for a while.
    ReceiptId,
    "receipt"
);

impl FactId {
    /// The id of a legacy row, from a digest of what tells it from others: a UUID of version 8, which no fact has.
    pub fn legacy(digest: [u8; 16]) -> Self {
        Self(uuid::Builder::from_custom_bytes(digest).into_uuid())
    }

    /// Whether it is that of a legacy row.
    pub fn is_legacy(&self) -> bool {
        self.0.get_version_num() == 8
    }
}

uuid_id!(
    /// One reviewed adoption of legacy rows: its receipt.
    AdoptionId,
    "adoption"
);

impl AdoptionId {
    /// The id that follows from a digest of what was sealed: the same review is the same adoption.
    pub fn of(digest: [u8; 16]) -> Self {
        Self(uuid::Builder::from_custom_bytes(digest).into_uuid())
    }
}

/// An id that the application gives: a tenant, a container, an agent, a run. Compared byte for byte.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Id(String);

impl Id {
    /// At most 128 characters, no control characters, no white space at the ends.
    pub fn parse(field: &'static str, id: &str) -> Result<Self, BadInput> {
        text::check_name(field, id, limits::ID_CHARS_MAX)?;
        Ok(Self(id.to_owned()))
    }

    /// The id as given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The application's name for a kind of fact, such as `acme.preference`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FactType(String);

impl FactType {
    /// Letters, digits, `.`, `_`, `-` and `/`, at most 128 characters.
    pub fn parse(name: &str) -> Result<Self, BadInput> {
        text::check_name("type", name, limits::TYPE_CHARS_MAX)?;
        if name.chars().any(|c| !(c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/'))) {
            return Err(BadInput::new("type", "may hold letters, digits, '.', '_', '-' and '/' only"));
        }
        Ok(Self(name.to_owned()))
    }

    /// That of a legacy row whose source names none.
    pub fn legacy_note() -> Self {
        Self("legacy.note".to_owned())
    }

    /// The type as given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FactType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The number of a revision within its fact, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RevisionNumber(u32);

impl RevisionNumber {
    /// The first revision of a fact.
    pub const FIRST: Self = Self(1);

    /// Refuses 0.
    pub fn new(number: u32) -> Option<Self> {
        (number > 0).then_some(Self(number))
    }

    /// The number after this one; the greatest of all, which no fact reaches, has none and stays.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The plain number.
    pub fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for RevisionNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The place of an event in its tenant's ledger: from 1, without gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Position(i64);

impl Position {
    /// Before the first event.
    pub const START: Self = Self(0);

    /// Wraps a stored position.
    pub fn new(position: i64) -> Self {
        Self(position)
    }

    /// The position after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// The plain number.
    pub fn get(self) -> i64 {
        self.0
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Names one request, so that sending it again changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RequestKey(String);

impl RequestKey {
    /// At most 128 characters, no control characters, no white space at the ends.
    pub fn parse(key: &str) -> Result<Self, BadInput> {
        text::check_name("idempotencyKey", key, limits::ID_CHARS_MAX)?;
        Ok(Self(key.to_owned()))
    }

    /// The key as given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
