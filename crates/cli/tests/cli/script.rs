//! Running the command on a store of its own, and telling what happened as a transcript.

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use super::redact::{ids, redacted};

/// Settings of the machine that would change what a command does, besides all that begin with `MEMORY_`.
const OF_THE_MACHINE: [&str; 5] = ["CLICOLOR_FORCE", "HF_HOME", "HF_HUB_CACHE", "NO_COLOR", "XDG_DATA_HOME"];

/// A store that goes away with the test, and a transcript of what was done to it.
pub(crate) struct Script {
    folder: TempDir,
    transcript: String,
}

/// How a command ended, and what it printed.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Script {
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("truthkeeper-cli.").tempdir().unwrap();
        Self { folder, transcript: String::new() }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The command on this store, with nothing of the machine's own settings.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memory"));
        for name in OF_THE_MACHINE {
            command.env_remove(name);
        }
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("MEMORY_")) {
            command.env_remove(name);
        }
        command
            .env("USER", "ops")
            .env("HOME", self.folder())
            .env("MEMORY_DB", self.folder().join("memory.db"));
        command.current_dir(self.folder()).args(words);
        command
    }

    /// Runs it without a word in the transcript.
    pub(crate) fn quiet(&self, words: &[&str]) -> Ran {
        Ran::of(self.command(words).stdin(Stdio::null()).output().unwrap())
    }

    pub(crate) fn quiet_with(&self, words: &[&str], input: &str) -> Ran {
        let mut child = self.spawn(words);
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        Ran::of(child.wait_with_output().unwrap())
    }

    /// Starts it, with pipes on all sides.
    pub(crate) fn spawn(&self, words: &[&str]) -> Child {
        let mut command = self.command(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// Runs it and writes down what happened.
    pub(crate) fn run(&mut self, words: &[&str]) -> Ran {
        let ran = self.quiet(words);
        self.tell(words, &ran);
        ran
    }

    pub(crate) fn run_with(&mut self, words: &[&str], input: &str) -> Ran {
        let ran = self.quiet_with(words, input);
        self.tell(words, &ran);
        ran
    }

    /// What happened, without ids and times, whose form was looked at.
    pub(crate) fn told(&self) -> String {
        let folder = self.folder().to_str().unwrap();
        redacted(&self.transcript.replace(folder, "[folder]"))
    }

    /// How many events the store has.
    pub(crate) fn events(&self) -> u64 {
        self.quiet(&["ledger", "check", "--json"]).ok().json()["events"].as_u64().unwrap()
    }

    fn tell(&mut self, words: &[&str], ran: &Ran) {
        let shown: Vec<String> = words
            .iter()
            .map(|word| if word.contains([' ', '{', '"']) { format!("'{word}'") } else { (*word).to_owned() })
            .collect();
        self.transcript.push_str(&format!("$ memory {}\n{}", shown.join(" "), ran.out));
        for line in ran.err.lines() {
            self.transcript.push_str(&format!("! {line}\n"));
        }
        if ran.code != Some(0) {
            self.transcript.push_str(&format!("[exit {}]\n", ran.code.unwrap()));
        }
        self.transcript.push('\n');
    }
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let ran = Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
        assert!(!ran.err.contains("panicked"), "{ran:#?}");
        ran
    }

    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        self.exits(0)
    }

    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(self.err.contains(text), "{text:?} is not in {self:#?}");
        self
    }

    /// The first id that it printed.
    #[track_caller]
    pub(crate) fn id(&self) -> String {
        ids(&self.out).into_iter().next().unwrap_or_else(|| panic!("no id in {self:#?}"))
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error} in {self:#?}"))
    }

    /// The JSON that it printed as an error.
    #[track_caller]
    pub(crate) fn error(&self) -> Value {
        let error: Value =
            serde_json::from_str(&self.err).unwrap_or_else(|error| panic!("{error} in {self:#?}"));
        error["error"].clone()
    }
}
