//! The `memory` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    truthkeeper_cli::main()
}
