//! The rules: what a proposal, or an act of a person, changes about a fact; and how memories from before the ledger
//! become facts.
//!
//! Pure: each rule is a function of the fact as it stands and of the moment; no clock, no ids of its own,
//! no input or output. What they give back is appended only while its grounds still hold.

mod adoption;
mod again;
mod ask;
mod compose;
mod decide;
mod erase;
mod expire;
mod hold;
mod instruction;
mod intake;
mod likeness;
mod merge;
mod moment;
mod moving;
mod place;
mod refusal;
mod remember;
mod restore;
mod retract;
mod review;
mod same;
mod settle;
mod verify;

#[cfg(test)]
mod act_tests;
#[cfg(test)]
mod conflict_tests;
#[cfg(test)]
mod decide_tests;
#[cfg(test)]
mod ended_tests;
#[cfg(test)]
mod inherit_tests;
#[cfg(test)]
mod instruction_tests;
#[cfg(test)]
mod likeness_tests;
#[cfg(test)]
mod remember_tests;
#[cfg(test)]
mod repeat_tests;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod story_tests;
#[cfg(test)]
mod table_tests;

pub use adoption::{
    Action, Adoption, AdoptionStep, Audit, AuditRow, BadReview, BadSeal, Choice, Cite, Earlier,
    EarlierDecision, Flag, Group, GroupKind, GroupRow, Known, KnownState, NotSealable, Review, ReviewGroup,
    ReviewRow, Ruling, Sealed, SealedRow, Step, Uncertainty, Wording, audit, mark_contradicted, plan, seal,
};
pub use decide::decide;
pub use erase::check_erasure;
pub use expire::expire;
pub use hold::{admit, hold, quarantine};
pub use instruction::reads_like_an_instruction;
pub use intake::{NotTaken, is_changed, take};
pub use likeness::{Found, Gist, Likeness, MEANING_ITEMS_MAX, PAIRS_MAX, Stated, alike, pairs};
pub use merge::{Viewed, merge, split};
pub use moment::{Fresh, Moment, Policy};
pub use moving::{Destination, move_fact};
pub use place::{Place, made, places, said_without_slot, slot, statement};
pub use refusal::{Barrier, Refusal, is_owner};
pub use remember::{REMEMBERED_CHARS_MAX, Remembered, check_days, check_text, place_of, remember, waits};
pub use restore::restore;
pub use retract::retract;
pub use review::{accept, dismiss};
pub use settle::{Settlement, Verdict, reopen, settle};
pub use verify::verify;
