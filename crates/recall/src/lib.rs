//! The only door to a prompt: search finds, the ledger decides, the block carries what is true now.
//!
//! It writes nothing, and returns nothing that the ledger did not confirm.

mod block;
mod gate;
mod safe;

pub use block::{Block, Budget, RULE};
pub use gate::{Reason, Recalled, RecalledFact, admit};
pub use safe::visible;
