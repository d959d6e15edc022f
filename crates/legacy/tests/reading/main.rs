//! Each reader through the one function that there is: what goes in, and every row that comes out.
#![cfg(test)]

mod any;
mod chats;
mod forms;
mod notes;
mod qdrant;
mod samples;
mod shown;
