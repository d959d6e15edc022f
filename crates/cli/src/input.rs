//! Reading what comes from outside: JSON, files, pipes, and lines of them, none without a limit.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::Path;

use serde_json::{Map, Value};
use tokio::task::block_in_place;
use truthkeeper::BadInput;

use crate::error::CliError;

/// A statement, or a line of a file, in bytes. The limits of what it says are far smaller.
const INPUT_BYTES_MAX: u64 = 4_194_304;

/// Reads `{…}`, `@FILE` or `-`.
pub(crate) fn read(input: &str) -> Result<Map<String, Value>, CliError> {
    let text = match (input, input.strip_prefix('@')) {
        ("-", _) => block_in_place(|| read_all("input", &mut io::stdin().lock()))?,
        (_, Some(path)) => block_in_place(|| read_all(path, &mut open(path)?))?,
        (json, None) => json.to_owned(),
    };
    let value: Value = serde_json::from_str(&text).map_err(|error| {
        BadInput::new("input", format!("is no JSON: {}; give '{{…}}', @FILE or -", fault(&error)))
    })?;
    match value {
        Value::Object(members) => Ok(members),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err(BadInput::new("input", "must be a JSON object").into())
        }
    }
}

/// Opens a file for reading.
fn open(path: &str) -> Result<BufReader<File>, CliError> {
    let file = File::open(path).map_err(|error| CliError::file(Path::new(path), error))?;
    Ok(BufReader::new(file))
}

fn read_all(name: &str, from: &mut dyn Read) -> Result<String, CliError> {
    let mut text = Vec::new();
    let read = from.take(INPUT_BYTES_MAX + 1).read_to_end(&mut text);
    let bytes = read.map_err(|error| CliError::file(Path::new(name), error))?;
    if u64::try_from(bytes).map_or(true, |bytes| bytes > INPUT_BYTES_MAX) {
        return Err(BadInput::new("input", format!("has more than {INPUT_BYTES_MAX} bytes")).into());
    }
    String::from_utf8(text).map_err(|_| BadInput::new("input", "is not UTF-8").into())
}

/// What is wrong with JSON, and where; never what it says.
pub(crate) fn fault(error: &serde_json::Error) -> String {
    let what = match error.classify() {
        serde_json::error::Category::Eof => "it ends too early",
        serde_json::error::Category::Io => "it cannot be read",
        serde_json::error::Category::Syntax | serde_json::error::Category::Data => "it is malformed",
    };
    format!("{what} at line {}, column {}", error.line(), error.column())
}

/// Lines of a file or of stdin, each within the limit.
pub(crate) struct Lines {
    from: Box<dyn io::BufRead + Send>,
}

/// A line that was read.
pub(crate) enum Line {
    /// Its text.
    Text(String),
    /// It is longer than a statement may be; its rest was skipped.
    TooLong,
    /// It is not UTF-8.
    NotText,
}

impl Lines {
    /// The lines of a file; of stdin for `-`.
    pub(crate) fn of(path: &str) -> Result<Self, CliError> {
        let from: Box<dyn io::BufRead + Send> = match path {
            "-" => Box::new(BufReader::new(io::stdin())),
            path => Box::new(open(path)?),
        };
        Ok(Self { from })
    }

    fn read(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        let mut within = (&mut self.from).take(INPUT_BYTES_MAX);
        if within.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        let is_whole = bytes.ends_with(b"\n") || within.limit() > 0;
        if !is_whole {
            self.skip_line()?;
            return Ok(Some(Line::TooLong));
        }
        let end = bytes.strip_suffix(b"\n").map_or(bytes.len(), <[u8]>::len);
        bytes.truncate(end);
        Ok(Some(String::from_utf8(bytes).map_or(Line::NotText, Line::Text)))
    }

    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.from.fill_buf()?;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let length = end.map_or(buffer.len(), |end| end + 1);
            let is_over = end.is_some() || buffer.is_empty();
            self.from.consume(length);
            if is_over {
                return Ok(());
            }
        }
    }
}

impl Iterator for Lines {
    type Item = io::Result<Line>;

    /// Waits for the next line, while the rest of the program goes on.
    fn next(&mut self) -> Option<Self::Item> {
        block_in_place(|| self.read()).transpose()
    }
}
