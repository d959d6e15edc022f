//! `ledger dump` and `ledger load`.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::args::Global;
use crate::error::CliError;
use crate::input::{Line, Lines};
use crate::ledger::{Confirmed, Events};
use crate::session::Session;
use crate::show::{counted, escape};
use crate::{out, progress};

#[derive(Debug, clap::Args)]
pub(crate) struct Dump {
    /// A new file; - for stdout.
    #[arg(value_name = "FILE")]
    file: String,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Load {
    /// The file; - for stdin.
    #[arg(value_name = "FILE")]
    file: String,
    #[command(flatten)]
    confirmed: Confirmed,
}

pub(crate) async fn dump(global: &Global, args: &Dump) -> Result<(), CliError> {
    let session = Session::open(global).await?;
    if args.file == "-" {
        let events = write(&session, io::stdout()).await?;
        out::note(&format!("dumped {}", counted(events, "event")));
        return Ok(());
    }
    let path = Path::new(&args.file);
    let file = create_private(path).map_err(|error| CliError::file(path, error))?;
    match write(&session, file).await {
        Ok(events) => session
            .answer(&Events { events }, || format!("dumped {} to {}", counted(events, "event"), args.file)),
        Err(error) => {
            // Half a dump is of no use. Should it stay, `load` refuses it.
            drop(std::fs::remove_file(path));
            Err(error)
        }
    }
}

async fn write(session: &Session, to: impl Write + Send) -> Result<u64, CliError> {
    let bar = progress::bar("dumping", Some(session.memory.events().await?));
    let mut to = BufWriter::new(to);
    let line = |line: &str| writeln!(to, "{}", escape::in_json(line));
    let events = session.memory.dump(line, |done| bar.set_position(done)).await?;
    to.flush()?;
    bar.finish_and_clear();
    Ok(events)
}

/// A file that was not there and that only its owner may read.
fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

pub(crate) async fn load(global: &Global, args: &Load) -> Result<(), CliError> {
    let what = || format!("load the whole history in {} into the store, which must be empty", args.file);
    args.confirmed.check(what)?;
    let lines = Lines::of(&args.file)?;
    let session = Session::begin(global).await?;
    let bar = progress::bar("loading", None);
    let events = session.memory.load(lines.map(text), |done| bar.set_position(done)).await?;
    bar.finish_and_clear();
    session.answer(&Events { events }, || format!("loaded {}", counted(events, "event")))
}

/// A line of a dump.
fn text(line: io::Result<Line>) -> io::Result<String> {
    let bad = |problem| io::Error::new(io::ErrorKind::InvalidData, problem);
    match line? {
        Line::Text(text) => Ok(text),
        Line::TooLong => Err(bad("a line is too long")),
        Line::NotText => Err(bad("a line is not UTF-8")),
    }
}
