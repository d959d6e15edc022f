//! Which model turns texts into vectors: what was said last with `memory models use`, or in the environment.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use truthkeeper::{
    ApiKey, BadFiles, BadInput, BadModel, Embedder, Endpoint, EndpointSettings, ModelFiles, OnDemand,
};

use crate::error::CliError;
use crate::store;

/// What is kept of a choice, in the data folder. No key.
const CHOICE_FILE: &str = "embeddings.json";

/// How long a command waits for an endpoint.
const ENDPOINT_WAIT: Duration = Duration::from_secs(10);

/// A choice of model.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "mode", deny_unknown_fields)]
pub(crate) enum Choice {
    /// The local model where its files are there, else words alone.
    #[default]
    Auto,
    /// Words alone.
    Off,
    /// The local model, which must be there.
    Local,
    /// An endpoint that speaks OpenAI's embeddings.
    Endpoint {
        /// Its address, up to before `/embeddings`.
        url: String,
        /// The model's name there.
        model: String,
    },
}

impl Choice {
    /// What the environment says, else what was kept, else `Auto`.
    pub(crate) fn made() -> Result<Self, CliError> {
        let Ok(named) = env::var("MEMORY_EMBEDDINGS") else { return Self::kept() };
        match named.as_str() {
            "auto" => Ok(Self::Auto),
            "off" => Ok(Self::Off),
            "local" => Ok(Self::Local),
            url if url.starts_with("http://") || url.starts_with("https://") => {
                let model = env::var("MEMORY_EMBEDDINGS_MODEL")
                    .map_err(|_| BadInput::new("MEMORY_EMBEDDINGS_MODEL", "is missing"))?;
                Ok(Self::Endpoint { url: url.to_owned(), model })
            }
            _ => Err(BadInput::new("MEMORY_EMBEDDINGS", "must be auto, off, local or an address").into()),
        }
    }

    fn kept() -> Result<Self, CliError> {
        let Some(path) = store::own_folder().map(|folder| folder.join(CHOICE_FILE)) else {
            return Ok(Self::Auto);
        };
        match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text).map_err(|_| {
                BadInput::new("embeddings.json", "is no choice of model; `memory models use` writes it")
                    .into()
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::Auto),
            Err(error) => Err(CliError::file(&path, error)),
        }
    }

    /// Keeps it for the commands to come.
    pub(crate) fn keep(&self) -> Result<PathBuf, CliError> {
        let folder = store::make_own_folder()?;
        let path = folder.join(CHOICE_FILE);
        fs::write(&path, serde_json::to_string_pretty(self)?)
            .map_err(|error| CliError::file(&path, error))?;
        Ok(path)
    }

    /// What does the work; none for words alone.
    pub(crate) fn embedder(&self) -> Result<Option<Arc<dyn Embedder>>, CliError> {
        match self {
            Self::Off => Ok(None),
            Self::Auto => Ok(files().ok().map(|files| local(files, BadFiles::Ignored))),
            Self::Local => Ok(Some(local(files()?, BadFiles::Refused))),
            Self::Endpoint { url, model } => {
                let mut settings = EndpointSettings::new(url.as_str(), model.as_str());
                settings.timeout = ENDPOINT_WAIT;
                settings.retry.total = ENDPOINT_WAIT;
                settings.api_key = env::var("MEMORY_EMBEDDINGS_KEY").ok().map(ApiKey::new);
                Ok(Some(Arc::new(Endpoint::new(settings)?)))
            }
        }
    }

    /// In a line.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Auto => match files() {
                Ok(files) => format!("auto: the local model in {}", files.folder().display()),
                Err(_) => "auto: no local model is there, so facts are found by their words alone".to_owned(),
            },
            Self::Off => "off: facts are found by their words alone".to_owned(),
            Self::Local => "local: the local model, which must be there".to_owned(),
            Self::Endpoint { url, model } => format!("{model} at {url}"),
        }
    }
}

fn local(files: ModelFiles, bad: BadFiles) -> Arc<dyn Embedder> {
    Arc::new(OnDemand::new(files, bad))
}

/// The files of the local model, where they are.
pub(crate) fn files() -> Result<ModelFiles, BadModel> {
    ModelFiles::find(&folders())
}

/// Where the local model is looked for: the folder that was named, ours, and that of the hub's own programs.
pub(crate) fn folders() -> Vec<PathBuf> {
    let named = env::var_os("MEMORY_MODELS").map(PathBuf::from);
    let ours = store::own_folder().map(|folder| ModelFiles::in_data_folder(&folder));
    let hub = env::var_os("HF_HUB_CACHE").map(PathBuf::from).or_else(|| {
        let home = env::var_os("HF_HOME").map(PathBuf::from);
        let home =
            home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache").join("huggingface")));
        home.map(|home| home.join("hub"))
    });
    named.into_iter().chain(ours).chain(hub.map(|hub| ModelFiles::in_hub_cache(&hub))).collect()
}
