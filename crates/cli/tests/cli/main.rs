//! The command as a person or a script meets it: every verb, every exit code, and what is printed.
#![cfg(test)]

mod adopt;
mod as_others;
mod config;
mod conflicts;
mod doctor;
mod duplicates;
mod eval;
mod exits;
mod facts;
mod help;
mod input;
mod install;
mod keys;
mod ledger;
mod likeness;
mod lists;
mod models;
mod place;
mod projections;
mod recall;
mod redact;
mod script;
mod secrets;
mod serve;
mod serving;
mod settings;
mod status;
mod terminal;
mod transfer;
