//! The plan of an adoption: what to record, step by step. The same seal gives the same plan.

use std::collections::BTreeMap;

use fact::{Draft, Evidence, EvidenceKind, FactId, Id, Text};
use serde_json::json;

use super::sealed::{Ruling, Sealed, SealedRow, Wording};

/// A step of an adoption.
#[derive(Debug, Clone, PartialEq)]
pub struct AdoptionStep {
    /// Its number, from 1.
    pub number: u32,
    /// What to do.
    pub step: Step,
}

/// What a step does.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Makes a fact of a row.
    Adopt(Box<Adoption>),
    /// Keeps a row as a record of what happened; it is never current truth.
    Keep {
        /// The row.
        row: FactId,
    },
    /// Leaves rows of one group out until they change.
    Reject {
        /// The rows.
        rows: Vec<FactId>,
        /// Why.
        note: Option<Text>,
    },
    /// Leaves rows of one group to the next audit.
    Defer {
        /// The rows.
        rows: Vec<FactId>,
        /// What they wait for.
        note: Option<Text>,
    },
}

/// A row that becomes a fact.
#[derive(Debug, Clone, PartialEq)]
pub struct Adoption {
    /// The row.
    pub keeper: FactId,
    /// The rows that the fact cites: the keeper, then its siblings.
    pub cites: Vec<Cite>,
    /// What the fact says.
    pub wording: Wording,
}

/// A row that a fact cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cite {
    /// The row.
    pub row: FactId,
    /// Digest of the document that was reviewed.
    pub digest: String,
}

/// The steps in their order, each row in exactly one.
pub fn plan(sealed: &Sealed) -> Vec<AdoptionStep> {
    let mut siblings: BTreeMap<FactId, Vec<Cite>> = BTreeMap::new();
    for row in sealed.rows() {
        if let Ruling::Cite { keeper } = row.ruling {
            siblings.entry(keeper).or_default().push(Cite::of(row));
        }
    }
    let mut steps = Vec::new();
    let mut left_out: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    for row in sealed.rows() {
        match &row.ruling {
            Ruling::Adopt(wording) => {
                let mut cites = vec![Cite::of(row)];
                cites.extend(siblings.remove(&row.row).unwrap_or_default());
                let wording = Wording::clone(wording);
                steps.push(Step::Adopt(Box::new(Adoption { keeper: row.row, cites, wording })));
            }
            Ruling::Cite { .. } => {}
            Ruling::Keep => steps.push(Step::Keep { row: row.row }),
            Ruling::Reject | Ruling::Defer => {
                let is_reject = row.ruling == Ruling::Reject;
                let at = *left_out.entry((&row.group, is_reject)).or_insert_with(|| {
                    let (rows, note) = (Vec::new(), row.note.clone());
                    steps.push(if is_reject {
                        Step::Reject { rows, note }
                    } else {
                        Step::Defer { rows, note }
                    });
                    steps.len() - 1
                });
                if let Step::Reject { rows, .. } | Step::Defer { rows, .. } = &mut steps[at] {
                    rows.push(row.row);
                }
            }
        }
    }
    steps.into_iter().zip(1..).map(|(step, number)| AdoptionStep { number, step }).collect()
}

impl Adoption {
    /// The statement to propose in the scope's tenant.
    pub fn draft(&self) -> Draft {
        let Wording { scope, kind, text, key, tags, confidence, valid_from, valid_until, observed_at } =
            &self.wording;
        let words = |text: &Text| text.as_str().to_owned();
        Draft {
            kind: Some(kind.as_str().to_owned()),
            scope: Some(scope.clone()),
            key: key.as_ref().map(words),
            content: Some(json!({"text": text.as_str()})),
            tags: Some(tags.iter().map(words).collect()),
            confidence: *confidence,
            evidence: self.cites.iter().map(Cite::evidence).collect(),
            valid_from: *valid_from,
            valid_until: *valid_until,
            observed_at: *observed_at,
            ..Draft::default()
        }
    }
}

impl Cite {
    fn of(row: &SealedRow) -> Self {
        Self { row: row.row, digest: row.digest.clone() }
    }

    fn evidence(&self) -> Evidence {
        let id = Id::parse("evidence.id", &self.row.to_string()).expect("the text of an id is one");
        Evidence { kind: EvidenceKind::Legacy, id, digest: Some(self.digest.clone()), quote: None }
    }
}
