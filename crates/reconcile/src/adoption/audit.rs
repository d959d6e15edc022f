//! The audit of legacy rows: every row in exactly one group, with what to do about it and why.
//!
//! A row goes into the first kind that fits it, in the order of `GroupKind`. What happened (an episode) is never
//! compared with what is true. The order of the input changes nothing.

mod contradiction;
mod dated;
mod duplicate;
mod episode;
mod fragment;
mod item;
mod plain;
mod provenance;
mod sets;

use std::collections::BTreeSet;

use fact::{FactId, Legacy, Scope, Text, Timestamp};
use serde::{Deserialize, Serialize};

use super::row::{AuditRow, Earlier, Flag, Known};
use item::{Finding, Item, Kinship};

/// Legacy rows in groups, as of an instant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Audit {
    /// When: what has lapsed, and what is old, depends on it.
    pub at: Timestamp,
    /// Digest of the ids and digests of all rows.
    pub rows: String,
    /// Whether there were too many rows for their meanings to be compared, so that only their words were.
    pub words_only: bool,
    /// The groups, in the order of their kinds.
    pub groups: Vec<Group>,
}

/// Rows that are decided together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Group {
    /// `g1`, `g2` and so on.
    pub id: String,
    /// What the rows have in common.
    pub kind: GroupKind,
    /// What to do about them.
    pub action: Action,
    /// How unsure that is.
    pub uncertainty: Uncertainty,
    /// Why.
    pub why: String,
    /// Whether it may be approved in bulk, unread.
    pub safe: bool,
    /// What fragments say together, where one fact can hold it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<Text>,
    /// The rows: the keeper first where there is one, otherwise as they stand in their sources.
    pub rows: Vec<GroupRow>,
}

/// A row in its group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GroupRow {
    /// Its id.
    pub row: FactId,
    /// Digest of the document that is stored of it.
    pub digest: String,
    /// Where it would be a fact.
    pub scope: Scope,
    /// What its source tells.
    pub legacy: Legacy,
    /// Whether it would be the one that is adopted and cites the others.
    pub keep: bool,
    /// What is remarkable about it, the gravest first.
    pub flags: Vec<Flag>,
    /// What an earlier review said of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<Earlier>,
    /// What the ledger holds that says the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<Known>,
}

/// What rows have in common. A row is of the first kind that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GroupKind {
    /// Where they come from, or whose they are, is not clear.
    MalformedProvenance,
    /// They may contradict each other, or what the ledger holds.
    PossibleContradictions,
    /// They say the same, or what the ledger says already.
    LikelyDuplicates,
    /// They are parts of one statement.
    Fragments,
    /// They ended, or say `today` and are old.
    Lapsed,
    /// They record what happened.
    RelatedEpisodes,
    /// Nothing is remarkable about them, or only what was decided before.
    Plain,
}

/// What to do about a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Look at each row and decide it.
    DecideEach,
    /// Adopt the keeper, citing all.
    AdoptKeeper,
    /// Adopt what they say together, citing all.
    AdoptWhole,
    /// Reject them, or approve what still holds with new words or times.
    RejectOrRenew,
    /// Keep each as a record of what happened.
    KeepEach,
    /// Adopt each.
    AdoptEach,
}

/// How unsure a proposed action is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Uncertainty {
    /// Hardly.
    Low,
    /// A glance is needed.
    Medium,
    /// Only a person can tell.
    High,
}

/// Sorts rows into groups as of `now`. Changes nothing; the same rows give the same audit.
pub fn audit(rows: &[AuditRow], now: Timestamp) -> Audit {
    let mut items: Vec<Item<'_>> = rows.iter().map(Item::of).collect();
    items.sort_by_key(|item| item.row.row);
    let mut left: BTreeSet<usize> = (0..items.len()).collect();
    let mut findings = Vec::new();
    take(provenance::find(&items), &mut left, &mut findings);
    let kinship = Kinship::of(&items, &left);
    take(contradiction::find(&items, &kinship), &mut left, &mut findings);
    take(duplicate::find(&items, &left, &kinship), &mut left, &mut findings);
    take(fragment::find(&items, &left), &mut left, &mut findings);
    take(dated::find(&items, &left, now), &mut left, &mut findings);
    take(episode::find(&items, &left), &mut left, &mut findings);
    take(plain::find(&items, &left), &mut left, &mut findings);
    let groups = findings.into_iter().zip(1..).map(|(finding, number)| finding.group(number, &items));
    let known: String = items.iter().map(|item| format!("{} {}\n", item.row.row, item.row.digest)).collect();
    Audit { at: now, rows: super::digest(&known), words_only: kinship.words_only, groups: groups.collect() }
}

fn take(mut found: Vec<Finding>, left: &mut BTreeSet<usize>, findings: &mut Vec<Finding>) {
    for member in found.iter().flat_map(|finding| &finding.members) {
        left.remove(member);
    }
    found.sort_by_key(|finding| finding.members.iter().min().copied());
    findings.extend(found);
}

impl Audit {
    /// SHA-256 over the whole audit: what a review and a seal name it by.
    pub fn digest(&self) -> String {
        super::digest(&super::exact_json(self))
    }
}

impl Group {
    /// Whether each row that is approved must be approved by itself: nobody approves these in one decision.
    pub fn is_row_by_row(&self) -> bool {
        self.kind == GroupKind::PossibleContradictions
            || self.rows.iter().flat_map(|row| &row.flags).any(|flag| !flag.allows_bulk())
    }
}

impl GroupKind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::MalformedProvenance,
        Self::PossibleContradictions,
        Self::LikelyDuplicates,
        Self::Fragments,
        Self::Lapsed,
        Self::RelatedEpisodes,
        Self::Plain,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::MalformedProvenance => "malformed-provenance",
            Self::PossibleContradictions => "possible-contradictions",
            Self::LikelyDuplicates => "likely-duplicates",
            Self::Fragments => "fragments",
            Self::Lapsed => "lapsed",
            Self::RelatedEpisodes => "related-episodes",
            Self::Plain => "plain",
        }
    }

    /// Whether one of its rows is adopted for all.
    pub(super) fn has_keeper(self) -> bool {
        match self {
            Self::LikelyDuplicates | Self::Fragments => true,
            Self::MalformedProvenance
            | Self::PossibleContradictions
            | Self::Lapsed
            | Self::RelatedEpisodes
            | Self::Plain => false,
        }
    }
}

impl Action {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::DecideEach,
        Self::AdoptKeeper,
        Self::AdoptWhole,
        Self::RejectOrRenew,
        Self::KeepEach,
        Self::AdoptEach,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::DecideEach => "decide-each",
            Self::AdoptKeeper => "adopt-keeper",
            Self::AdoptWhole => "adopt-whole",
            Self::RejectOrRenew => "reject-or-renew",
            Self::KeepEach => "keep-each",
            Self::AdoptEach => "adopt-each",
        }
    }
}

impl Uncertainty {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}
