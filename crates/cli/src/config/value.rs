//! The kinds of what can be told, with their limits, and how each is shown.

use std::net::SocketAddr;
use std::path::Path;

use tracing_subscriber::filter::LevelFilter;
use truthkeeper::{Address, SecretPolicy};

/// What stands for a secret.
const MASK: &str = "***";

/// What a knob takes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// A file, or a `postgres://` address.
    Store,
    /// A file.
    File,
    /// A folder.
    Folder,
    /// `auto`, `off`, `local`, or an address.
    Finder,
    /// A name.
    Name,
    /// What nobody may see.
    Secret,
    /// A whole number within limits.
    Whole { least: u64, most: u64 },
    /// A number within limits.
    Number { least: f64, most: f64 },
    /// An address to listen on.
    Socket,
    /// Names of hosts, with commas between them.
    Hosts,
    /// What becomes of a secret.
    Policy,
    /// How much the log says.
    Level,
}

impl Kind {
    /// What is wrong with a text, which is never repeated.
    pub(super) fn check(self, text: &str) -> Result<(), String> {
        let is_address = text.starts_with("http://") || text.starts_with("https://");
        let (is_good, must) = match self {
            Self::Store | Self::File | Self::Folder | Self::Name | Self::Secret => {
                (!text.trim().is_empty(), "must not be empty".to_owned())
            }
            Self::Finder => (
                is_address || ["auto", "off", "local"].contains(&text),
                "must be auto, off, local or an address".to_owned(),
            ),
            Self::Whole { least, most } => (
                text.parse::<u64>().is_ok_and(|number| (least..=most).contains(&number)),
                format!("must be a whole number from {least} to {most}"),
            ),
            Self::Number { least, most } => (
                text.parse::<f64>().is_ok_and(|number| (least..=most).contains(&number)),
                format!("must be a number from {least} to {most}"),
            ),
            Self::Socket => (
                text.parse::<SocketAddr>().is_ok(),
                "must be an address and a port, such as 127.0.0.1:7711".to_owned(),
            ),
            Self::Hosts => (
                names(text).iter().all(|name| !name.is_empty() && !name.contains(char::is_whitespace)),
                "must be names with commas between them".to_owned(),
            ),
            Self::Policy => (SecretPolicy::parse(text).is_some(), "must be refuse, redact or off".to_owned()),
            Self::Level => (
                text.parse::<LevelFilter>().is_ok(),
                "must be off, error, warn, info, debug or trace".to_owned(),
            ),
        };
        if is_good { Ok(()) } else { Err(must) }
    }

    /// As it is shown: without a password or a key.
    pub(super) fn shown(self, text: &str) -> String {
        match self {
            Self::Store => Address::parse(text).to_string(),
            Self::Secret => MASK.to_owned(),
            Self::Finder => without_secrets(text),
            Self::File
            | Self::Folder
            | Self::Name
            | Self::Whole { .. }
            | Self::Number { .. }
            | Self::Socket
            | Self::Hosts
            | Self::Policy
            | Self::Level => text.to_owned(),
        }
    }

    /// What a file says: a path that is not whole begins at the file's own folder.
    pub(super) fn beside(self, text: &str, file: &Path) -> String {
        let is_path = match self {
            Self::Store => matches!(Address::parse(text), Address::File(_)),
            Self::File | Self::Folder => true,
            Self::Finder
            | Self::Name
            | Self::Secret
            | Self::Whole { .. }
            | Self::Number { .. }
            | Self::Socket
            | Self::Hosts
            | Self::Policy
            | Self::Level => false,
        };
        let folder = file.parent().filter(|_| is_path && !Path::new(text).is_absolute());
        // Both parts came as text.
        folder.map_or_else(|| text.to_owned(), |folder| folder.join(text).to_string_lossy().into_owned())
    }
}

/// An address without whoever calls, and without what follows `?`.
fn without_secrets(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let (rest, asked) = rest.split_once('?').map_or((rest, ""), |(rest, _)| (rest, "?***"));
    let (host, path) = rest.split_once('/').map_or((rest, None), |(host, path)| (host, Some(path)));
    let host = host.rsplit_once('@').map_or(host.to_owned(), |(_, host)| format!("{MASK}@{host}"));
    let path = path.map_or_else(String::new, |path| format!("/{path}"));
    format!("{scheme}://{host}{path}{asked}")
}

/// Names with commas between them.
pub(crate) fn names(text: &str) -> Vec<&str> {
    text.split(',').map(str::trim).collect()
}
