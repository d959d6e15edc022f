//! A writer that dies: at each named place of the way that a fact takes, and at any moment.

mod adopting;
pub(crate) mod after;
mod index;
mod places;
mod writer;
