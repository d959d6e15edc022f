//! The one test binary: every suite is a module of it, so that it links once and no file is forgotten.
#![cfg(test)]

mod crash;
mod faults;
mod full;
mod harness;
mod log;
mod model;
mod order;
mod race;
mod suite;
mod tidy;
