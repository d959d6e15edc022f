//! The only door to a prompt: search finds, the ledger decides, the block carries what is true now.
//!
//! It writes nothing, and returns nothing that the ledger did not confirm.

mod answer;
mod block;
mod fuse;
mod gate;
mod past;
mod pick;
mod safe;

pub use answer::{Degraded, Miss, NearMiss, Recalled, RecalledFact, RecalledLegacy, Warning};
pub use block::{Block, Budget, Layout, PLAIN_RULE, RULE, Style};
pub use fuse::{By, Fit, Found, Fusion, Leg, Order, fuse};
pub use gate::{Admitted, Reason, admit};
pub use past::then;
pub use pick::{Pick, SourceWeights};
pub use safe::visible;
