//! Facts as programs read them: the same JSON as over HTTP.

pub(crate) use server::wire::{Changed, Fact, Said, shown};
