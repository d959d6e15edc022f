//! The `memory` command as a library, so that its own tests can look at every verb that it has.
//!
//! Words, hints and exit codes for people live here and nowhere below. It holds no rule about facts and no SQL.

mod adopt;
mod args;
mod config;
mod conflicts;
mod demo;
mod doctor;
mod duplicates;
mod embedder;
mod error;
mod eval;
mod exit;
mod facts;
mod forgotten;
mod input;
mod keys;
mod ledger;
mod models;
mod out;
mod progress;
mod projections;
mod ranking;
mod recall;
mod receipts;
mod review;
mod run;
mod said;
mod secrets;
mod serve;
mod session;
mod settings;
mod show;
mod status;
mod store;
mod who;

pub use args::command;
pub use exit::Exit;
pub use run::main;
