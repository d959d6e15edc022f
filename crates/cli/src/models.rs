//! `memory models`: what turns texts into vectors, so that facts are found by meaning too.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Subcommand;
use serde::Serialize;
use truthkeeper::{BadInput, HUB, LOCAL_MODEL, ModelFiles, PullSource, pull};

use crate::args::Global;
use crate::embedder::{self, Choice};
use crate::error::CliError;
use crate::{out, progress, store};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Fetch the local model: some 90 MB, from its hub, or from a folder or archive that is there already.
    Pull(Pull),
    /// Show which model is used, and whether the local one is there.
    List,
    /// Choose: auto, off, local, or the address of an endpoint that speaks OpenAI's embeddings.
    Use(Use),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Pull {
    /// A folder with the model's three files, an archive that holds them, or the address of a hub.
    #[arg(long, value_name = "PATH|ADDRESS")]
    from: Option<String>,
    /// The folder to put them into; the data folder's when not given.
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Use {
    /// auto, off, local, or http://… up to before /embeddings.
    #[arg(value_name = "MODEL")]
    which: String,
    /// The model's name at the endpoint.
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    using: String,
    local: Local,
}

#[derive(Debug, Serialize)]
struct Local {
    model: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<PathBuf>,
    state: String,
}

#[derive(Debug, Serialize)]
struct Pulled {
    folder: PathBuf,
}

#[derive(Debug, Serialize)]
struct Chosen {
    using: String,
}

/// Does what the verb says.
pub(crate) async fn run(global: &Global, command: Command) -> Result<(), CliError> {
    match command {
        Command::Pull(args) => fetch(global, args).await,
        Command::List => list(global),
        Command::Use(args) => choose(global, args),
    }
}

async fn fetch(global: &Global, args: Pull) -> Result<(), CliError> {
    let source = match args.from {
        None => PullSource::Hub(HUB.to_owned()),
        Some(from) if from.starts_with("http://") || from.starts_with("https://") => PullSource::Hub(from),
        Some(from) => PullSource::Path(PathBuf::from(from)),
    };
    let into = match args.into {
        Some(into) => into,
        None => ModelFiles::in_data_folder(&store::make_own_folder()?),
    };
    let bar = progress::bar("fetching", None);
    let shown = bar.clone();
    let files = pull(&source, &into, Arc::new(move |now| shown.set_position(now.bytes))).await?;
    bar.finish_and_clear();
    let pulled = Pulled { folder: files.folder().to_owned() };
    answer(global, &pulled, || format!("{LOCAL_MODEL} is whole in {}", pulled.folder.display()))
}

fn list(global: &Global) -> Result<(), CliError> {
    let (folder, state) = match embedder::files(&global.config)? {
        Ok(files) => {
            let state = files.check().map_or_else(|bad| bad.to_string(), |()| "whole".to_owned());
            (Some(files.folder().to_owned()), state)
        }
        Err(missing) => (None, missing.to_string()),
    };
    let listed = Listed {
        using: Choice::made(&global.config)?.shown(&global.config),
        local: Local { model: LOCAL_MODEL, folder, state },
    };
    answer(global, &listed, || {
        let Listed { using, local } = &listed;
        let place =
            local.folder.as_ref().map_or_else(String::new, |folder| format!(" in {}", folder.display()));
        format!("using {using}\nlocal model {}{place}: {}", local.model, local.state)
    })
}

fn choose(global: &Global, args: Use) -> Result<(), CliError> {
    let choice = match (args.which.as_str(), args.model) {
        ("auto", None) => Choice::Auto,
        ("off", None) => Choice::Off,
        ("local", None) => Choice::Local,
        ("auto" | "off" | "local", Some(_)) => {
            return Err(BadInput::new("model", "is for an endpoint only").into());
        }
        (url, Some(model)) if url.starts_with("http://") || url.starts_with("https://") => {
            Choice::Endpoint { url: url.to_owned(), model }
        }
        (url, None) if url.starts_with("http") => return Err(BadInput::new("model", "is missing").into()),
        _ => return Err(BadInput::new("model", "must be auto, off, local or an address").into()),
    };
    choice.embedder(&global.config)?;
    choice.keep()?;
    let chosen = Chosen { using: choice.shown(&global.config) };
    answer(global, &chosen, || match choice {
        Choice::Auto | Choice::Off => format!("using {}", chosen.using),
        Choice::Local | Choice::Endpoint { .. } => format!(
            "using {}\nsearches go on as before until `memory projections rebuild` has embedded every fact by it",
            chosen.using
        ),
    })
}

fn answer(global: &Global, json: &impl Serialize, text: impl FnOnce() -> String) -> Result<(), CliError> {
    if global.json { out::json(json) } else { out::text(&text()) }
}
