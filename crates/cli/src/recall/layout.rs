//! How a recall becomes a block.

use truthkeeper::{BadInput, Budget, Layout, Style};

use crate::config::{Config, TOKEN_BUDGET};
use crate::recall::kinds;

/// How the block is written.
#[derive(Debug, clap::Args)]
pub(super) struct LayoutArgs {
    /// Print only the block for a prompt.
    #[arg(long)]
    pub(super) block: bool,
    /// Write the block as plain lines, for models that make nothing of tags.
    #[arg(long)]
    plain: bool,
    /// Kinds of which a verified fact is a policy for the system message, with commas between them.
    #[arg(long, value_name = "TYPE", value_delimiter = ',')]
    policies: Vec<String>,
    /// About how many tokens the block may take [env: MEMORY_TOKEN_BUDGET] [default: 2000].
    #[arg(long, value_name = "N")]
    tokens: Option<usize>,
}

impl LayoutArgs {
    pub(super) fn layout(&self, config: &Config) -> Result<Layout, BadInput> {
        let tokens = self.tokens.map_or_else(|| config.number(&TOKEN_BUDGET), Ok)?;
        if tokens == 0 {
            return Err(BadInput::new("tokens", "must be at least 1"));
        }
        Ok(Layout {
            budget: Budget::tokens(tokens),
            style: if self.plain { Style::Plain } else { Style::Tagged },
            past: self.block,
            policies: kinds(&self.policies)?,
        })
    }
}
