//! What users of a memory rely on, said at the façade and the ledger, the same on both engines.

mod raw;
mod requests;
mod revising;
mod scene;
