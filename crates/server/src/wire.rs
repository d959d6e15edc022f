//! What programs read, as JSON: the one place that says which fields there are, over HTTP and on the command line.

mod around;
mod conflict;
mod fact;
mod forgotten;
mod held;
mod older;

pub use around::Around;
pub use conflict::{Conflict, ConflictShown, ConflictStanding, admission, standing};
pub use fact::{Changed, Fact, Said, shown, tells_of_own_words};
pub use forgotten::Over;
pub use held::Held;
pub use older::Older;
