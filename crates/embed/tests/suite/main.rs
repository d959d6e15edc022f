//! The embedders from outside: an endpoint against a server of the test, the local model against its real files.

#![cfg(test)]

mod answers;
mod failures;
#[cfg(feature = "local-model")]
mod model;
#[cfg(feature = "local-model")]
mod pulling;
mod server;
