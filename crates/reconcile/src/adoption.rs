//! Adoption: memories from before the ledger become facts, after a person has looked at each of them.
//!
//! `audit` sorts them into groups, a `Review` of it is what the person decides, `seal` binds the decisions to both,
//! and `plan` says step by step what to record. A step of adoption ends in a proposal like any other.

mod against;
mod audit;
mod plan;
mod review;
mod row;
mod seal;
mod sealed;

#[cfg(test)]
mod audit_tests;
#[cfg(test)]
mod review_tests;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod seal_tests;

use serde::Serialize;
use sha2::{Digest as _, Sha256};

pub use against::mark_contradicted;
pub use audit::{Action, Audit, Group, GroupKind, GroupRow, Uncertainty, audit};
pub use plan::{Adoption, AdoptionStep, Cite, Step, plan};
pub use review::{BadReview, Choice, Review, ReviewGroup, ReviewRow};
pub use row::{AuditRow, Earlier, EarlierDecision, Flag, Known, KnownState};
pub use seal::{NotSealable, seal};
pub use sealed::{BadSeal, Ruling, Sealed, SealedRow, Wording};

/// The JSON that documents are known by: fields in the order of their types. Not RFC 8785, which writes whole numbers
/// as floats, so that two instants after the year 2255 would be one.
fn exact_json(document: &impl Serialize) -> String {
    serde_json::to_string(document).expect("documents of adoption have text for keys")
}

/// SHA-256 of a text, in hexadecimal.
fn digest(text: &str) -> String {
    fact::hex(&Sha256::digest(text))
}
