//! Which model turns texts into vectors: what was said last with `memory models use`, or in the environment; and which
//! one did before it.

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

/// The choice before it.
const FORMER_FILE: &str = "embeddings.former.json";

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
        match Self::named("MEMORY_EMBEDDINGS")? {
            Some(named) => Ok(named),
            None => Ok(Self::kept(CHOICE_FILE)?.unwrap_or_default()),
        }
    }

    /// The one before it, as it was named or kept.
    pub(crate) fn former() -> Result<Self, CliError> {
        match Self::named("MEMORY_EMBEDDINGS_FORMER")? {
            Some(named) => Ok(named),
            None => Ok(Self::kept(FORMER_FILE)?.unwrap_or(Self::Off)),
        }
    }

    fn named(variable: &'static str) -> Result<Option<Self>, CliError> {
        let Ok(named) = env::var(variable) else { return Ok(None) };
        let choice = match named.as_str() {
            "auto" => Self::Auto,
            "off" => Self::Off,
            "local" => Self::Local,
            url if url.starts_with("http://") || url.starts_with("https://") => {
                let variable = format!("{variable}_MODEL");
                let model = env::var(&variable).map_err(|_| BadInput::new(variable, "is missing"))?;
                Self::Endpoint { url: url.to_owned(), model }
            }
            _ => return Err(BadInput::new(variable, "must be auto, off, local or an address").into()),
        };
        Ok(Some(choice))
    }

    fn kept(name: &'static str) -> Result<Option<Self>, CliError> {
        let Some(path) = store::own_folder().map(|folder| folder.join(name)) else { return Ok(None) };
        match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text).map(Some).map_err(|_| {
                BadInput::new(name, "is no choice of model; `memory models use` writes it").into()
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(CliError::file(&path, error)),
        }
    }

    /// Keeps it for the commands to come, and what was kept until now as the one before it.
    pub(crate) fn keep(&self) -> Result<(), CliError> {
        let before = Self::kept(CHOICE_FILE).ok().flatten().unwrap_or_default();
        if before != *self {
            before.write(FORMER_FILE)?;
        }
        self.write(CHOICE_FILE)
    }

    fn write(&self, name: &str) -> Result<(), CliError> {
        let path = store::make_own_folder()?.join(name);
        fs::write(&path, serde_json::to_string_pretty(self)?).map_err(|error| CliError::file(&path, error))
    }

    /// What does the work; none for words alone.
    pub(crate) fn embedder(&self) -> Result<Option<Arc<dyn Embedder>>, CliError> {
        self.with_key("MEMORY_EMBEDDINGS_KEY")
    }

    /// What did the work before. Its key is its own: none is ever sent to another's address.
    pub(crate) fn former_embedder() -> Result<Option<Arc<dyn Embedder>>, CliError> {
        Self::former()?.with_key("MEMORY_EMBEDDINGS_FORMER_KEY")
    }

    fn with_key(&self, key: &str) -> Result<Option<Arc<dyn Embedder>>, CliError> {
        match self {
            Self::Off => Ok(None),
            Self::Auto => Ok(files().ok().map(|files| local(files, BadFiles::Ignored))),
            Self::Local => Ok(Some(local(files()?, BadFiles::Refused))),
            Self::Endpoint { url, model } => {
                let mut settings = EndpointSettings::new(url.as_str(), model.as_str());
                settings.timeout = ENDPOINT_WAIT;
                settings.retry.total = ENDPOINT_WAIT;
                settings.api_key = env::var(key).ok().map(ApiKey::new);
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
