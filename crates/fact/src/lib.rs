//! The words of Truthkeeper: facts, revisions, events, and the pure fold of events into the truth of a fact.
//!
//! Pure: no clock, no randomness, no input or output, no SQL, no HTTP.

mod bad_input;
mod change;
mod confidence;
mod content;
mod event;
mod fold;
mod head;
mod id;
mod key;
mod legacy;
pub mod limits;
mod proposal;
mod revision;
mod run;
mod said;
mod scope;
mod secret;
mod states;
mod text;
mod time;
mod truth;

#[cfg(test)]
mod confidence_tests;
#[cfg(test)]
mod content_tests;
#[cfg(test)]
mod draft_tests;
#[cfg(test)]
mod event_tests;
#[cfg(test)]
mod head_tests;
#[cfg(test)]
mod id_tests;
#[cfg(test)]
mod key_tests;
#[cfg(test)]
mod proposal_tests;
#[cfg(test)]
mod reader_tests;
#[cfg(test)]
mod run_tests;
#[cfg(test)]
mod said_tests;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod screen_tests;
#[cfg(test)]
mod secret_tests;
#[cfg(test)]
mod text_tests;
#[cfg(test)]
mod time_tests;
#[cfg(test)]
mod truth_tests;
#[cfg(test)]
mod unapproved_tests;
#[cfg(test)]
mod writer_tests;

pub use bad_input::BadInput;
pub use change::{Change, Decision, Ground, NewEvent, Outcome, Slot, Statement};
pub use confidence::Confidence;
pub use content::{Content, canonical, hex};
pub use event::{Cause, Entry, Event, Happening, Link, Verdict};
pub use fold::{Forbidden, apply};
pub use head::{Head, State};
pub use id::{
    AdoptionId, ConflictId, FactId, FactType, Id, Position, ReceiptId, RequestKey, ReviewId, RevisionNumber,
};
pub use key::{Bounds, Key, KeyId, KeyToken, Right};
pub use legacy::{Held, Legacy, LegacyDecision, LegacyOrigin, LegacyRow, LegacySource, Standing, Unadmitted};
pub use proposal::{Draft, Proposal, Target};
pub use revision::{Case, Merged, Revision, SaidAgain};
pub use run::{Near, Run};
pub use said::{
    Actor, Admission, Evidence, EvidenceKind, Origin, Provenance, Retention, Saying, Subject, Trust, Words,
};
pub use scope::{Access, Container, Grants, Reach, Reader, Scope, Sight, Writer};
pub use secret::{Detector, HoldsSecret, Screen, SecretPolicy, SecretValues};
pub use states::turned;
pub use text::{Text, folded, hides_text, is_blank, is_invisible, reorders_text};
pub use time::{MICROS_PER_DAY, Timestamp};
pub use truth::{Contest, Ending, Reign, Span, Truth};
