//! What the command is told by its environment and its file, and `memory config`.
//!
//! A flag counts before the environment, the environment before the file, and the file before the default. What can be
//! told at all is in `knobs`, and nowhere else.

mod file;
mod knobs;
mod show;
mod value;

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Subcommand;
use truthkeeper::BadInput;

use crate::args::Global;
use crate::error::CliError;

pub(crate) use knobs::{
    BUSY_SECONDS, DB, EMBEDDING_MODEL, EMBEDDINGS, EMBEDDINGS_FORMER, EMBEDDINGS_FORMER_KEY,
    EMBEDDINGS_FORMER_MODEL, EMBEDDINGS_KEY, HOSTS, LISTEN, LOG, MODELS, RATE_LIMIT, SEARCH_FLOOR,
    SEARCH_LIMIT, SECRET_VALUES, SECRETS, TOKEN_BUDGET, help,
};
pub(crate) use value::names;

/// The variable that names the file.
const FILE_VARIABLE: &str = "MEMORY_CONFIG";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what the command is told, and by what: a flag, the environment, the file, or nobody.
    Show,
}

/// One thing that can be told.
#[derive(Debug)]
pub(crate) struct Knob {
    /// Its name in the file. In the environment it is `MEMORY_` and this in capitals.
    pub(crate) name: &'static str,
    kind: value::Kind,
    /// What holds where nobody says; none where `about` says what does.
    pub(crate) default: Option<&'static str>,
    /// The flag that counts before it.
    flag: Option<&'static str>,
    about: &'static str,
}

impl Knob {
    /// Its name in the environment.
    pub(crate) fn variable(&self) -> String {
        format!("MEMORY_{}", self.name.to_uppercase())
    }
}

/// What the environment and the file say. Each word is looked at when it is needed: a command that needs none of it
/// works with a file that is broken.
#[derive(Clone, Default)]
pub(crate) struct Config {
    environment: BTreeMap<&'static str, OsString>,
    file: Option<File>,
}

/// The file, as it was read.
#[derive(Clone)]
struct File {
    path: PathBuf,
    told: Result<BTreeMap<&'static str, String>, BadInput>,
}

/// Who said something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Teller {
    /// The environment.
    Environment,
    /// That file.
    File(PathBuf),
}

/// What was said.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub(crate) text: String,
    by: Teller,
}

impl fmt::Debug for Config {
    /// Without what it holds: keys are among it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Config")
    }
}

/// Does what the verb says.
pub(crate) fn run(global: &Global, command: &Command) -> Result<(), CliError> {
    match command {
        Command::Show => show::run(global),
    }
}

impl Config {
    /// Reads the environment, and the file that it or the command line names; else the one in the data folder, where
    /// there is one.
    pub(crate) fn gather(named: Option<&Path>) -> Self {
        let environment: BTreeMap<&'static str, OsString> =
            knobs::ALL.iter().filter_map(|knob| Some((knob.name, env::var_os(knob.variable())?))).collect();
        let named = named.map(Path::to_owned).or_else(|| env::var_os(FILE_VARIABLE).map(PathBuf::from));
        let path = named.or_else(|| file::usual().filter(|path| path.exists()));
        let file = path.map(|path| File { told: file::read(&path), path });
        Self { environment, file }
    }

    /// What was said of a knob, where it makes sense.
    pub(crate) fn told(&self, knob: &Knob) -> Result<Option<Told>, BadInput> {
        if let Some(said) = self.environment.get(knob.name) {
            let text = said.to_str().ok_or_else(|| BadInput::new(knob.variable(), "must be UTF-8"))?;
            knob.kind.check(text).map_err(|problem| BadInput::new(knob.variable(), problem))?;
            return Ok(Some(Told { text: text.to_owned(), by: Teller::Environment }));
        }
        let Some(File { path, told }) = &self.file else { return Ok(None) };
        let told = told.as_ref().map_err(BadInput::clone)?;
        let Some(text) = told.get(knob.name) else { return Ok(None) };
        let place = || format!("{} in {}", knob.name, path.display());
        knob.kind.check(text).map_err(|problem| BadInput::new(place(), problem))?;
        let text = knob.kind.beside(text, path);
        Ok(Some(Told { text, by: Teller::File(path.clone()) }))
    }

    /// What was said of a knob, or holds where nobody says; none where nothing does.
    pub(crate) fn text(&self, knob: &Knob) -> Result<Option<String>, BadInput> {
        let told = self.told(knob)?;
        Ok(told.map(|told| told.text).or_else(|| knob.default.map(str::to_owned)))
    }

    /// The same as what it means.
    pub(crate) fn value<T: FromStr>(&self, knob: &Knob) -> Result<Option<T>, BadInput> {
        let Some(text) = self.text(knob)? else { return Ok(None) };
        let value = text.parse().map_err(|_| BadInput::new(knob.variable(), "is not of its kind"))?;
        Ok(Some(value))
    }

    /// The same, where something always holds.
    pub(crate) fn number<T: FromStr>(&self, knob: &Knob) -> Result<T, BadInput> {
        self.value(knob)?.ok_or_else(|| BadInput::new(knob.variable(), "is missing"))
    }

    /// Everything that was said and makes no sense.
    pub(crate) fn problems(&self) -> Vec<BadInput> {
        if let Some(File { told: Err(bad), .. }) = &self.file {
            return vec![bad.clone()];
        }
        knobs::ALL.iter().filter_map(|knob| self.told(knob).err()).collect()
    }
}
