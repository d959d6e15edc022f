//! The HTTP API of a memory, and its owner's page: `memory serve`.
//!
//! It holds no rule about facts and no SQL. Statuses and codes are made here and nowhere below.

mod app;
mod change;
mod changes;
mod conflicts;
mod cursor;
mod described;
mod door;
#[cfg(test)]
mod door_tests;
mod duplicates;
mod facts;
mod fault;
mod forgotten;
mod grammar;
mod input;
mod keyed;
mod listen;
#[cfg(test)]
mod listen_tests;
mod measures;
mod metrics;
mod page;
pub mod plain;
mod projections;
mod rates;
#[cfg(test)]
mod rates_tests;
mod receipts;
mod remember;
mod retrieve;
mod review;
mod running;
#[cfg(test)]
mod running_tests;
mod serve;
mod standing;
mod strict;
pub mod wire;

pub use described::openapi;
pub use metrics::Render;
pub use serve::{Search, Server, Settings};
