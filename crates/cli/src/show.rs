//! Facts and receipts as people and programs read them.

pub(crate) mod escape;
pub(crate) mod fact;
pub(crate) mod fit;
pub(crate) mod json;
pub(crate) mod receipt;
pub(crate) mod table;

pub(crate) use server::plain::counted;
