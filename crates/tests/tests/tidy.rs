//! What the tree itself must hold: edges between crates, sizes, names, SQL beside its user, and documents that
//! say what the code does.

mod ambient;
mod documents;
mod edges;
mod index_writes;
mod licences;
mod names;
mod schema;
mod shape;
mod spdx;
mod sql;
mod strangers;
mod tree;
