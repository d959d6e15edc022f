//! A recall as a turn of a run.

use truthkeeper::{BadInput, Intent, Run, Scope};

use crate::args::Global;
use crate::error::CliError;

/// What a run of an agent asks for.
#[derive(Debug, clap::Args)]
pub(super) struct TurnArgs {
    /// Recall as a turn of that run would: its conversation, end user and project, such as project:P/participant:X.
    #[arg(long, value_name = "SCOPE", requires = "intent")]
    pub(super) run: Option<String>,
    /// What the run asks for, such as {"types": ["acme.preference"], "scope": "same-user", "mode": "both", "limit": 5}.
    #[arg(long, value_name = "JSON", requires = "run", conflicts_with_all = ["mode", "types", "limit", "as_of", "valid_at"])]
    intent: Vec<String>,
}

impl TurnArgs {
    pub(super) fn parse(&self, global: &Global, run: &str) -> Result<(Run, Vec<Intent>), CliError> {
        let scope = Scope::parse_path("run", &crate::who::tenant(global)?, run)?;
        let intent = |text: &String| {
            let json = serde_json::from_str(text)
                .map_err(|error| BadInput::new("intent", format!("is no JSON: {error}")))?;
            Intent::from_json(json)
        };
        let intents = self.intent.iter().map(intent).collect::<Result<_, _>>()?;
        Ok((Run::of(scope), intents))
    }
}
