//! Which facts a verb is about.

use truthkeeper::{BadInput, FactType, Filter, Id, Scope, State, Text, limits};

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
        let name = |field, given: &Option<String>, most| {
            given.as_deref().map(|name| Text::parse_name(field, name, most)).transpose()
        };
        let scope = self.scope.as_deref().map(|path| Scope::parse_path("scope", tenant, path));
        Ok(Filter {
            kind: self.kind.as_deref().map(FactType::parse).transpose()?,
            scope: scope.transpose()?,
            key: name("key", &self.key, limits::KEY_CHARS_MAX)?,
            tag: name("tag", &self.tag, limits::TAG_CHARS_MAX)?,
            state,
        })
    }
}
