//! Which facts a verb is about.

use truthkeeper::{BadInput, Filter, Id, Scope, State};

#[derive(Debug, clap::Args)]
pub(crate) struct FilterArgs {
    /// Only facts of this kind.
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// Only facts of exactly this scope.
    #[arg(long, value_name = "SCOPE")]
    scope: Option<String>,
    /// Only facts with this key.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// Only facts with this tag.
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
}

impl FilterArgs {
    /// The same, of versions in that state.
    pub(crate) fn filter(&self, tenant: &Id, state: State) -> Result<Filter, BadInput> {
        let scope = self.scope.as_deref().map(|path| Scope::parse_path("scope", tenant, path));
        let (kind, key, tag) = (self.kind.as_deref(), self.key.as_deref(), self.tag.as_deref());
        Filter::parse(kind, key, tag, scope.transpose()?, state)
    }
}
