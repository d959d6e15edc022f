//! What users of a memory rely on, said at the façade and the ledger, the same on both engines.

mod bounds;
mod conflicts;
mod life;
mod lists;
mod raw;
mod requests;
mod revising;
mod scene;
mod times;
mod validity;
