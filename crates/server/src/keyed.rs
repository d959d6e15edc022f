//! Whoever calls, by their key: what it may do, and the name of the request.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Instant;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{Extensions, StatusCode, header};
use truthkeeper::{BadInput, Caller, Key, KeyToken, MemoryError, RequestKey, Right};
use uuid::Uuid;

use crate::app::App;
use crate::fault::Fault;
use crate::listen::Peer;

/// The name of a request, in characters: the id of the key stands before it.
const IDEMPOTENCY_KEY_CHARS_MAX: usize = 100;

/// A request with a key that is valid.
pub(crate) struct Keyed {
    key: Key,
    token: String,
    request: Option<String>,
    if_match: Option<String>,
}

impl FromRequestParts<App> for Keyed {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Fault> {
        let text = |name: header::HeaderName| -> Result<Option<String>, Fault> {
            let Some(value) = parts.headers.get(&name) else { return Ok(None) };
            let bad = || BadInput::new(name.to_string(), "must be printable characters");
            Ok(Some(value.to_str().map_err(|_| bad())?.to_owned()))
        };
        let given = text(header::AUTHORIZATION).ok().flatten();
        let token = given.as_deref().and_then(|given| given.split_once(' '));
        let token = token.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        let token = token.ok_or(MemoryError::BadKey)?.1.trim().to_owned();
        let key = opened(app, &parts.extensions, &token).await?;
        let request = text(header::HeaderName::from_static("idempotency-key"))?;
        Ok(Self { key, token, request, if_match: text(header::IF_MATCH)? })
    }
}

/// The key that a token is, which may ask for something now.
pub(crate) async fn opened(app: &App, extensions: &Extensions, token: &str) -> Result<Key, Fault> {
    let peer = extensions.get().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |Peer(ip)| *ip);
    let id = KeyToken::parse(token).ok_or(MemoryError::BadKey)?.id().clone();
    app.rates.knock(peer, &id, Instant::now())?;
    let key = app.memory.key_of(token).await.inspect_err(|error| {
        if matches!(error, MemoryError::BadKey) {
            app.rates.was_wrong(peer, Instant::now());
        }
    })?;
    app.rates.ask(&key.id, Instant::now())?;
    Ok(key)
}

impl Keyed {
    /// Whoever is signed in with a key.
    pub(crate) fn of(key: Key, token: String) -> Self {
        Self { key, token, request: None, if_match: None }
    }

    /// The key.
    pub(crate) fn key(&self) -> &Key {
        &self.key
    }

    /// As whom it acts, where it has that right.
    pub(crate) fn caller(&self, right: Right) -> Result<Caller, Fault> {
        if self.may(right) {
            return Ok(Caller::from(&self.key));
        }
        let message = format!("not permitted: the key lacks the right {}", right.name());
        Err(Fault::new(StatusCode::FORBIDDEN, "permission-denied", message))
    }

    /// As whom it acts, where the key is good by now and has that right.
    pub(crate) async fn still(&self, app: &App, right: Right) -> Option<Caller> {
        let key = app.memory.key_of(&self.token).await.ok()?;
        key.bounds.allow(right).then(|| Caller::from(&key))
    }

    /// Whether it has a right.
    pub(crate) fn may(&self, right: Right) -> bool {
        self.key.bounds.allow(right)
    }

    /// The name of the request: what was sent, apart from the names that other keys give; made up where nothing was.
    pub(crate) fn request_key(&self) -> Result<RequestKey, Fault> {
        let Some(given) = &self.request else {
            return Ok(RequestKey::parse(&Uuid::now_v7().to_string())?);
        };
        if given.is_empty() || given.len() > IDEMPOTENCY_KEY_CHARS_MAX {
            let problem = format!("must have 1 to {IDEMPOTENCY_KEY_CHARS_MAX} characters");
            return Err(BadInput::new("Idempotency-Key", problem).into());
        }
        Ok(RequestKey::parse(&format!("{}-{given}", self.key.id))?)
    }

    /// The ETag that must be the current one.
    pub(crate) fn if_match(&self) -> Option<&str> {
        self.if_match.as_deref()
    }
}
