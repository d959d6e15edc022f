//! One suite for both engines: whatever the index promises, it keeps on SQLite and on PostgreSQL alike.

#![cfg(test)]

mod around;
mod meaning;
mod opening;
mod purging;
mod readers;
mod scores;
mod searching;
mod sql_files;
mod support;
mod writing;
