//! The `memory` command.
fn main() {}
