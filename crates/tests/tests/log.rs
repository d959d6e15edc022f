//! The write-ahead log of SQLite, and transactions that are left open on either engine (LED-18).

mod growth;
mod idle;
