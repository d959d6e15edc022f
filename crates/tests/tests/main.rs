//! The one test binary: every suite is a module of it, so that it links once and no file is forgotten.
#![cfg(test)]

mod harness;
mod model;
mod suite;
mod tidy;
