//! The copy under faults that are planted by a seed: whatever happens, it agrees with the ledger in the end.

pub(crate) mod index;
mod run;
pub(crate) mod seed;
mod slowness;
mod world;
