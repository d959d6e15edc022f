//! Whether an install is sound: findings from what the ledger and its stored reports say, and what they come to.
//!
//! It reads, and never writes, the ledger; it does not know of the index; and no type of it can hold what a fact says.

mod area;
mod copy_check;
mod finding;
mod judge;
pub mod machine;
#[cfg(test)]
mod machine_tests;
mod qualification;
mod settings;
mod snapshot;
mod status;
mod survey;
mod words;

pub use area::{Area, Condition};
pub use copy_check::CopyCheck;
pub use finding::{Finding, SnapshotFault};
pub use judge::{gaps, judge};
pub use qualification::{Qualification, Verdict, qualify};
pub use settings::is_compared;
pub use snapshot::{End, Kept, Snapshot};
pub use status::{Line, Said, Status};
pub use survey::{Standing, Survey};
