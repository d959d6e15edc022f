//! The `memory_qualification` command: passes or fails an install, and changes nothing of it.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Parser;
use fact::Timestamp;
use ledger::Address;
use truthkeeper_qualify::qualify;

/// Passes or fails the memory of an install. Reads it alone, while a service uses it, and prints nothing of what it
/// remembers.
///
/// One line a check, PASS or FAIL. Ends with 0 when every check passes, with 1 when one fails or nothing could be
/// checked, and with 2 when the command line is wrong.
#[derive(Debug, Parser)]
#[command(name = "memory_qualification", version, max_term_width = 110)]
struct Args {
    /// Where the memory is: a file, or a postgres:// address.
    #[arg(long, value_name = "PATH|ADDRESS")]
    db: String,
    /// The file that keeps what later runs are compared with. The first run that passes writes it.
    #[arg(long, value_name = "FILE")]
    snapshot: PathBuf,
    /// Write the snapshot anew, whatever this run comes to.
    #[arg(long)]
    record: bool,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Args { db, snapshot, record } = Args::parse();
    let address = Address::parse(&db);
    if let Address::File(path) = &address
        && !path.exists()
    {
        drop(writeln!(io::stderr(), "error: there is no memory at {address}"));
        return ExitCode::FAILURE;
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX));
    let qualification = qualify(address, &snapshot, record, now).await;
    // Whoever closed the pipe has read enough.
    drop(writeln!(io::stdout(), "{qualification}"));
    if qualification.passed() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
