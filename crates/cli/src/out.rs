//! Data goes to stdout, everything else to stderr, and neither can rewrite the terminal.

use std::io::{self, Write as _};

use serde::Serialize;

use crate::error::CliError;
use crate::show::escape;

/// Prints text as lines on stdout.
pub(crate) fn text(text: &str) -> Result<(), CliError> {
    raw(&escape::in_lines(text))
}

/// Prints JSON that was rendered already as one line on stdout.
pub(crate) fn json_line(json: &str) -> Result<(), CliError> {
    raw(&escape::in_json(json))
}

/// Empties the terminal, before what is looked at is shown again.
pub(crate) fn clear() -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    write!(out, "\x1b[2J\x1b[H")?;
    Ok(out.flush()?)
}

/// Prints a value as JSON on stdout.
pub(crate) fn json(value: &impl Serialize) -> Result<(), CliError> {
    json_line(&serde_json::to_string_pretty(value)?)
}

/// Tells the person something on stderr. Where nobody listens, nothing is lost.
pub(crate) fn note(text: &str) {
    drop(writeln!(io::stderr().lock(), "{}", escape::in_lines(text)));
}

/// The same for a program that listens, on one line.
pub(crate) fn note_json(value: &impl Serialize) {
    let json = serde_json::to_string(value).unwrap_or_else(|error| error.to_string());
    drop(writeln!(io::stderr().lock(), "{}", escape::in_json(&json)));
}

fn raw(text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}
