//! What users of a memory rely on, said at the façade and the ledger, the same on both engines.

mod block;
mod bounds;
mod conflicts;
mod drifting;
mod erasing;
mod forging;
mod gate;
mod life;
mod lists;
mod meaning;
mod opening;
mod plans;
mod positions;
mod projecting;
mod raw;
mod readers;
mod rebuilding;
mod requests;
mod revising;
mod scene;
mod searching;
mod tampering;
mod times;
mod transfer;
mod validity;
