//! The API as a program meets it: every route over a real socket.
#![cfg(test)]

mod canary;
mod client;
mod conditions;
mod description;
mod facts;
mod following;
mod grammar;
mod limits;
mod owners;
mod page;
mod place;
mod refusals;
mod remembering;
mod retrieving;
mod secrets;
mod several;
mod stopping;
