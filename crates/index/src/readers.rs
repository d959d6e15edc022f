//! The tokens by which an engine narrows a search to what its reader may read.
//!
//! They narrow only: what a reader may read is decided by `Reader::may_read`.

use fact::{Container, Id, Reader, Scope, canonical, hex};
use sha2::{Digest as _, Sha256};

/// Names the whole tenant, for who reads all of it.
const EVERYTHING: &str = "everything";

/// The tokens of a row of `scope`.
pub(crate) fn of_scope(scope: &Scope) -> Vec<String> {
    let mut tokens = vec![token(&scope.tenant, EVERYTHING)];
    tokens.extend(scope.tokens().iter().map(|container| token(&scope.tenant, container)));
    tokens
}

/// The token of an owner's rows.
pub(crate) fn of_owner(tenant: &Id, owner: Option<&Container>) -> String {
    match owner {
        None => token(tenant, EVERYTHING),
        Some(owner) => token(tenant, &owner.token()),
    }
}

/// Of these tokens every row that `reader` may read has at least one.
pub(crate) fn of_reader(reader: &Reader) -> Vec<String> {
    match reader.tokens() {
        None => vec![token(&reader.tenant, EVERYTHING)],
        Some(containers) => containers.iter().map(|container| token(&reader.tenant, container)).collect(),
    }
}

/// `scope` as far as reading looks at it, as canonical JSON: a session narrows a fact but opens and closes nothing.
pub(crate) fn place(scope: &Scope) -> String {
    canonical(&Scope { session: None, ..scope.clone() })
}

/// A name of fixed width for a place.
pub(crate) fn name(place: &str) -> String {
    hex(&Sha256::digest(place))
}

/// `r` and 32 hexadecimal digits: no token of a text begins so.
fn token(tenant: &Id, container: &str) -> String {
    let mut hash = Sha256::new();
    for part in [tenant.as_str(), "\0", container] {
        hash.update(part);
    }
    format!("r{}", hex(&hash.finalize()[..16]))
}
