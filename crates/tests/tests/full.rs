//! Storage that is full: one clear error, nothing half-written, and the same process goes on once there is space.

mod room;
mod space;
