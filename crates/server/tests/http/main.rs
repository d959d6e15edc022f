//! The API as a program meets it: every route over a real socket.
#![cfg(test)]

mod client;
mod conditions;
mod facts;
mod owners;
mod refusals;
mod retrieving;
mod stopping;
