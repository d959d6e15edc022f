//! Any sequence of acts, on the real memory and on a model of it in plain Rust: after each act every read agrees.
//!
//! The model is written from the rules of the design, over lists, without the crates that it checks.

mod acts;
mod commands;
mod compare;
mod decide;
mod facts;
mod fitting;
mod known;
mod merge;
mod real;
mod review;
mod run;
mod settle;
mod world;
