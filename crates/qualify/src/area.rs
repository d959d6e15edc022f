//! The parts of an install that can be sound or not, and how each can stand.

use serde::Serialize;

/// A part of an install.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Area {
    /// The revisions of facts, by state.
    CurrentTruth,
    /// The work of making the searchable copy.
    Projection,
    /// Whether the copy agrees.
    IndexDrift,
    /// What owners have to settle.
    Conflicts,
    /// What else waits for owners.
    Review,
    /// Records of what happened.
    Episodes,
    /// What the extractor was given, and made of it.
    ExtractionReceipts,
    /// Memories from before the ledger.
    Reconciliation,
    /// Whether the ledger was altered.
    LedgerIntegrity,
    /// The database itself.
    Storage,
}

/// How a part stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Condition {
    /// This version has no such part, or it is switched off.
    #[serde(rename = "disabled")]
    Disabled,
    /// All is well.
    #[serde(rename = "active")]
    Active,
    /// Work is under way, and not late.
    #[serde(rename = "pending")]
    Pending,
    /// Nobody has looked, or not since it changed.
    #[serde(rename = "NOT VERIFIED")]
    NotVerified,
    /// Something is wrong.
    #[serde(rename = "INCOMPLETE")]
    Incomplete,
    /// Nothing is there yet.
    #[serde(rename = "NOT INITIALIZED")]
    NotInitialized,
}

impl Area {
    /// All of them, in the order in which they are told.
    pub const ALL: [Self; 10] = [
        Self::CurrentTruth,
        Self::Projection,
        Self::IndexDrift,
        Self::Conflicts,
        Self::Review,
        Self::Episodes,
        Self::ExtractionReceipts,
        Self::Reconciliation,
        Self::LedgerIntegrity,
        Self::Storage,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::CurrentTruth => "current truth",
            Self::Projection => "projection",
            Self::IndexDrift => "index drift",
            Self::Conflicts => "conflicts",
            Self::Review => "review",
            Self::Episodes => "episodes",
            Self::ExtractionReceipts => "extraction receipts",
            Self::Reconciliation => "reconciliation",
            Self::LedgerIntegrity => "ledger integrity",
            Self::Storage => "storage",
        }
    }

    /// Whether this version has that part.
    pub fn exists(self) -> bool {
        match self {
            Self::Episodes | Self::ExtractionReceipts => false,
            Self::CurrentTruth
            | Self::Projection
            | Self::IndexDrift
            | Self::Conflicts
            | Self::Review
            | Self::Reconciliation
            | Self::LedgerIntegrity
            | Self::Storage => true,
        }
    }
}

impl Condition {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::Active => "active",
            Self::Pending => "pending",
            Self::NotVerified => "NOT VERIFIED",
            Self::Incomplete => "INCOMPLETE",
            Self::NotInitialized => "NOT INITIALIZED",
        }
    }

    /// Whether somebody has to do something. Work that is under way needs nobody.
    pub fn is_gap(self) -> bool {
        match self {
            Self::Disabled | Self::Active | Self::Pending => false,
            Self::NotVerified | Self::Incomplete | Self::NotInitialized => true,
        }
    }

    /// Whether an install can be qualified with it.
    pub fn passes(self) -> bool {
        match self {
            Self::Disabled | Self::Active => true,
            Self::Pending | Self::NotVerified | Self::Incomplete | Self::NotInitialized => false,
        }
    }
}
