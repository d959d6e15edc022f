//! How a copy of the facts can differ from them, as a check found it. The words; who compares is elsewhere.

use std::collections::BTreeMap;

use fact::FactId;
use serde::{Deserialize, Serialize};

/// Differences that a report lists; it counts all.
const LISTED_MAX: usize = 200;

/// How a row, or a fact without one, differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Drift {
    /// A fact that ought to be found is not: it has no row, or its words are gone.
    Missing,
    /// A row of a fact that has nothing current.
    Leftover,
    /// A row of another revision, of other content or by other rules of text, that does not stand where its text was
    /// said, or whose meaning the model does not know.
    Stale,
    /// A row of a fact that the ledger does not know.
    Unknown,
    /// A further row of a fact.
    Duplicate,
}

impl Drift {
    /// All of them, the worst first: what is missing is missed by everybody, in silence.
    pub const ALL: [Self; 5] = [Self::Missing, Self::Leftover, Self::Stale, Self::Unknown, Self::Duplicate];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Leftover => "leftover",
            Self::Stale => "stale",
            Self::Unknown => "unknown",
            Self::Duplicate => "duplicate",
        }
    }
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Drifted {
    /// How it differs.
    pub drift: Drift,
    /// The fact.
    pub fact: FactId,
    /// The number of the row, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<i64>,
}

/// What a check of a copy found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CopyReport {
    /// Facts that must have a row.
    pub facts: u64,
    /// Rows.
    pub rows: u64,
    /// Rows whose meaning the model of today does not know.
    #[serde(default)]
    pub to_embed: u64,
    /// How many differ, by how.
    pub drift: BTreeMap<Drift, u64>,
    /// The first that differ, what is missing first.
    pub drifted: Vec<Drifted>,
    /// How much was wrong with the copy beyond single rows: it is damaged for everybody.
    #[serde(default)]
    pub damage: u64,
}

impl CopyReport {
    /// Whether no row differs.
    pub fn is_clean(&self) -> bool {
        self.drift.is_empty()
    }

    /// Counts and lists a difference.
    pub fn add(&mut self, drifted: Drifted) {
        *self.drift.entry(drifted.drift).or_default() += 1;
        self.drifted.push(drifted);
        self.drifted.sort();
        self.drifted.truncate(LISTED_MAX);
    }

    /// Takes in what was found of other rows. Damage is that of one copy, and not added up.
    pub fn merge(&mut self, other: &Self) {
        self.facts += other.facts;
        self.rows += other.rows;
        self.to_embed += other.to_embed;
        other.drift.iter().for_each(|(drift, count)| *self.drift.entry(*drift).or_default() += count);
        self.drifted.extend_from_slice(&other.drifted);
        self.drifted.sort();
        self.drifted.truncate(LISTED_MAX);
        self.damage = self.damage.max(other.damage);
    }
}
