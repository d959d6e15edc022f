//! As whom the command acts: the operator, or what `--as` and `--actor` name.

use std::env;

use truthkeeper::{Actor, BadInput, Caller, Id, Scope};

use crate::args::Global;

/// An operator whose name the machine does not say.
const OPERATOR_UNNAMED: &str = "operator";

/// The tenant that the command line names.
pub(crate) fn tenant(global: &Global) -> Result<Id, BadInput> {
    Id::parse("tenant", &global.tenant)
}

/// The caller that the command line names.
pub(crate) fn caller(global: &Global) -> Result<Caller, BadInput> {
    let tenant = tenant(global)?;
    let given = global.actor.as_deref().map(|actor| Actor::parse("actor", actor)).transpose()?;
    let Some(path) = &global.scope else {
        let operator = Caller::operator(tenant, operator()?);
        return Ok(match given {
            Some(actor) => Caller { actor, ..operator },
            None => operator,
        });
    };
    let scope = Scope::parse_path("as", &tenant, path)?;
    let actor = match given.or_else(|| person(&scope)) {
        Some(actor) => actor,
        None => Actor::Operator { id: operator()? },
    };
    Caller::within(&scope, actor)
}

/// The person whom a scope names.
fn person(scope: &Scope) -> Option<Actor> {
    let id = scope.participant.as_ref().or(scope.user.as_ref())?;
    Some(Actor::User { id: id.clone() })
}

fn operator() -> Result<Id, BadInput> {
    let named = ["USER", "USERNAME"].into_iter().filter_map(|name| env::var(name).ok());
    let name = named.into_iter().find(|name| !name.is_empty());
    Id::parse("USER", name.as_deref().unwrap_or(OPERATOR_UNNAMED))
}
