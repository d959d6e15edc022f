//! What programs read, as JSON: the one place that says which fields there are, over HTTP and on the command line.

mod around;
mod bulk;
mod conflict;
mod duplicates;
mod fact;
mod forgotten;
mod happened;
mod held;
mod older;
mod projections;
mod receipt;
mod remembered;

pub use around::Around;
pub use bulk::{Bulk, ForgotAll, fate};
pub use conflict::{Conflict, ConflictShown, ConflictStanding, admission, standing};
pub use duplicates::Alike;
pub use fact::{Changed, Fact, Said, fact, facts, shown, tells_of_own_words};
pub use forgotten::Over;
pub use happened::Happened;
pub use held::Held;
pub use older::Older;
pub use projections::{CopyFound, CopyStatus, LastCheck, Tried, Unprojected, damage};
pub use receipt::{Missed, Ranked, Recalling};
pub use remembered::Remembered;
