//! The exit codes: what a script may rely on.

use std::process::ExitCode;

use clap::ValueEnum;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[repr(u8)]
pub enum Exit {
    /// Done.
    Ok = 0,
    /// Not done, or only in part, for the reason that is said.
    Failed = 1,
    /// The command line or its input is not as it must be; nothing changed.
    Usage = 2,
    /// There is no such fact, conflict or review, nothing of the fact is current, or it is not one that the caller may read.
    NotFound = 3,
    /// The caller may not do that.
    NotPermitted = 4,
    /// The fact or the conflict changed since the version that was expected.
    Changed = 5,
    /// Another process keeps the store.
    InUse = 6,
    /// It cannot be undone: repeat it with `--yes`.
    NeedsConfirmation = 7,
    /// Interrupted from the keyboard.
    Interrupted = 130,
}

impl Exit {
    /// The number that the process ends with.
    #[expect(clippy::as_conversions, reason = "the numbers are written once, in the enum")]
    pub fn number(self) -> u8 {
        self as u8
    }

    /// What it means: the first line of its documentation.
    fn meaning(self) -> String {
        let value = self.to_possible_value();
        value.and_then(|value| value.get_help().map(ToString::to_string)).unwrap_or_default()
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.number())
    }
}

/// The table of the exit codes for the long help.
pub(crate) fn table() -> String {
    let rows = Exit::value_variants().iter().map(|exit| format!("{:>5}  {}", exit.number(), exit.meaning()));
    format!("Exit codes:\n{}", rows.collect::<Vec<_>>().join("\n"))
}
