//! Which model turns texts into vectors: what was said last with `memory models use`, or in the environment; and which
//! one did before it.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use truthkeeper::{
    ApiKey, BadFiles, BadInput, BadModel, Embedder, Endpoint, EndpointSettings, LOCAL_MODEL, ModelFiles,
    OnDemand,
};

use crate::config::{
    Config, EMBEDDING_MODEL, EMBEDDINGS, EMBEDDINGS_FORMER, EMBEDDINGS_FORMER_KEY, EMBEDDINGS_FORMER_MODEL,
    EMBEDDINGS_KEY, Knob, MODELS,
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
    /// What the configuration says, else what was kept, else `Auto`.
    pub(crate) fn made(config: &Config) -> Result<Self, CliError> {
        let kept = || Ok(Self::kept(CHOICE_FILE)?.unwrap_or_default());
        Self::named(config, &EMBEDDINGS, &EMBEDDING_MODEL, kept)
    }

    /// The one before it, as it was named or kept.
    pub(crate) fn former(config: &Config) -> Result<Self, CliError> {
        let kept = || Ok(Self::kept(FORMER_FILE)?.unwrap_or(Self::Off));
        Self::named(config, &EMBEDDINGS_FORMER, &EMBEDDINGS_FORMER_MODEL, kept)
    }

    /// What is told, else what was kept, by the model that is told.
    fn named(
        config: &Config,
        which: &Knob,
        model: &Knob,
        kept: impl Fn() -> Result<Self, BadInput>,
    ) -> Result<Self, CliError> {
        let (told, name) = (config.told(which)?, config.text(model)?);
        let choice = match told.as_ref().map(|told| told.text.as_str()) {
            None => kept()?,
            Some("auto") => Self::Auto,
            Some("off") => Self::Off,
            Some("local") => Self::Local,
            Some(url) => Self::Endpoint { url: url.to_owned(), model: String::new() },
        };
        match (choice, name) {
            (Self::Endpoint { url, .. }, Some(model)) => Ok(Self::Endpoint { url, model }),
            (Self::Endpoint { model: none, .. }, None) if none.is_empty() => {
                Err(BadInput::new(model.variable(), "is missing").into())
            }
            (Self::Auto | Self::Local, Some(name)) if !is_local(&name) => {
                let problem = format!("names a model of an endpoint, and {} names none", which.variable());
                Err(BadInput::new(model.variable(), problem).into())
            }
            (choice, _) => Ok(choice),
        }
    }

    fn kept(name: &'static str) -> Result<Option<Self>, BadInput> {
        let Some(path) = store::own_folder().map(|folder| folder.join(name)) else { return Ok(None) };
        match fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text)
                .map(Some)
                .map_err(|_| BadInput::new(name, "is no choice of model; `memory models use` writes it")),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(BadInput::new(path.display().to_string(), format!("cannot be read: {error}"))),
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
    pub(crate) fn embedder(&self, config: &Config) -> Result<Option<Arc<dyn Embedder>>, CliError> {
        self.with_key(config, &EMBEDDINGS_KEY)
    }

    /// What did the work before. Its key is its own: none is ever sent to another's address.
    pub(crate) fn former_embedder(config: &Config) -> Result<Option<Arc<dyn Embedder>>, CliError> {
        Self::former(config)?.with_key(config, &EMBEDDINGS_FORMER_KEY)
    }

    fn with_key(&self, config: &Config, key: &Knob) -> Result<Option<Arc<dyn Embedder>>, CliError> {
        match self {
            Self::Off => Ok(None),
            Self::Auto => Ok(files(config)?.ok().map(|files| local(files, BadFiles::Ignored))),
            Self::Local => Ok(Some(local(files(config)??, BadFiles::Refused))),
            Self::Endpoint { url, model } => {
                let mut settings = EndpointSettings::new(url.as_str(), model.as_str());
                settings.timeout = ENDPOINT_WAIT;
                settings.retry.total = ENDPOINT_WAIT;
                settings.api_key = config.text(key)?.map(ApiKey::new);
                Ok(Some(Arc::new(Endpoint::new(settings)?)))
            }
        }
    }

    /// As it is told.
    fn word(&self) -> String {
        match self {
            Self::Auto => "auto".to_owned(),
            Self::Off => "off".to_owned(),
            Self::Local => "local".to_owned(),
            Self::Endpoint { url, .. } => url.clone(),
        }
    }

    /// In a line.
    pub(crate) fn shown(&self, config: &Config) -> String {
        match self {
            Self::Auto => match files(config) {
                Ok(Ok(files)) => format!("auto: the local model in {}", files.folder().display()),
                Ok(Err(_)) | Err(_) => {
                    "auto: no local model is there, so facts are found by their words alone".to_owned()
                }
            },
            Self::Off => "off: facts are found by their words alone".to_owned(),
            Self::Local => "local: the local model, which must be there".to_owned(),
            Self::Endpoint { url, model } => format!("{model} at {url}"),
        }
    }
}

/// Whether a refusal is about a file that `memory models use` writes.
pub(crate) fn is_ours(file: &str) -> bool {
    [CHOICE_FILE, FORMER_FILE].contains(&file)
}

/// Whether that is a name of the local model.
fn is_local(name: &str) -> bool {
    LOCAL_MODEL.rsplit('/').next() == name.rsplit('/').next()
}

fn local(files: ModelFiles, bad: BadFiles) -> Arc<dyn Embedder> {
    Arc::new(OnDemand::new(files, bad))
}

/// The files of the local model, where they are.
pub(crate) fn files(config: &Config) -> Result<Result<ModelFiles, BadModel>, BadInput> {
    Ok(ModelFiles::find(&folders(config)?))
}

/// The choice that was kept, in a word.
pub(crate) fn kept() -> Result<Option<String>, BadInput> {
    Ok(Choice::kept(CHOICE_FILE)?.as_ref().map(Choice::word))
}

/// The choice before it, in a word.
pub(crate) fn kept_former() -> Result<Option<String>, BadInput> {
    Ok(Choice::kept(FORMER_FILE)?.as_ref().map(Choice::word))
}

/// Where the local model is looked for: the folder that was named, ours, and that of the hub's own programs.
fn folders(config: &Config) -> Result<Vec<PathBuf>, BadInput> {
    let named = config.text(&MODELS)?.map(PathBuf::from);
    let ours = store::own_folder().map(|folder| ModelFiles::in_data_folder(&folder));
    let hub = env::var_os("HF_HUB_CACHE").map(PathBuf::from).or_else(|| {
        let home = env::var_os("HF_HOME").map(PathBuf::from);
        let home =
            home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache").join("huggingface")));
        home.map(|home| home.join("hub"))
    });
    Ok(named.into_iter().chain(ours).chain(hub.map(|hub| ModelFiles::in_hub_cache(&hub))).collect())
}
