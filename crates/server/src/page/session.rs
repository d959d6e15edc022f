//! Who is signed in, kept in memory: a process that ends signs everybody out.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use sha2::{Digest as _, Sha256};
use truthkeeper::{BadInput, RequestKey};

use super::fields::Fields;
use super::frame::Flash;
use super::sign;
use crate::app::App;
use crate::fault::Fault;
use crate::keyed::{Keyed, opened};

/// The cookie.
pub(crate) const COOKIE: &str = "truthkeeper_session";
/// A session that nobody used for so long is over.
const IDLE: Duration = Duration::from_secs(12 * 60 * 60);
/// Sessions that are kept; the one that was used least lately goes first.
pub(super) const SESSIONS_MAX: usize = 1_000;
const ID_BYTES: usize = 32;
/// The name of a request, in characters.
const REQUEST_CHARS_MAX: usize = 64;

/// Names a session in the table: a hash of what the browser has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SessionId([u8; 32]);

/// Every session.
#[derive(Clone, Default)]
pub(crate) struct Sessions(Arc<Mutex<BTreeMap<SessionId, Session>>>);

struct Session {
    /// The key that it was begun with: each request looks whether it still opens something.
    token: String,
    used: Instant,
    flash: Option<Flash>,
}

/// Somebody whose key is valid now.
pub(crate) struct SignedIn {
    pub(crate) keyed: Keyed,
    id: SessionId,
    sessions: Sessions,
}

impl Sessions {
    /// Begins a session, and gives what the browser is to send.
    pub(crate) fn begin(&self, token: String) -> Result<String, Fault> {
        let mut secret = [0; ID_BYTES];
        getrandom::fill(&mut secret).map_err(|error| {
            let fault = Fault::of_status(StatusCode::INTERNAL_SERVER_ERROR);
            Fault { cause: Some(error.to_string()), ..fault }
        })?;
        let secret = truthkeeper::hex(&secret);
        let mut sessions = self.live();
        if sessions.len() >= SESSIONS_MAX {
            let oldest = sessions.iter().min_by_key(|(_, session)| session.used).map(|(id, _)| *id);
            oldest.and_then(|oldest| sessions.remove(&oldest));
        }
        sessions.insert(Self::id_of(&secret), Session { token, used: Instant::now(), flash: None });
        Ok(secret)
    }

    /// What the table knows a session by.
    pub(super) fn id_of(secret: &str) -> SessionId {
        SessionId(Sha256::digest(secret).into())
    }

    /// The key of a session that is not over.
    pub(super) fn token(&self, id: SessionId) -> Option<String> {
        let mut sessions = self.live();
        let session = sessions.get_mut(&id)?;
        session.used = Instant::now();
        Some(session.token.clone())
    }

    fn end(&self, id: SessionId) {
        self.live().remove(&id);
    }

    /// Those that are not over.
    fn live(&self) -> MutexGuard<'_, BTreeMap<SessionId, Session>> {
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.retain(|_, session| session.used.elapsed() < IDLE);
        sessions
    }
}

impl SignedIn {
    /// Whoever sent these headers; none where no session is theirs, or their key opens nothing any more.
    pub(crate) async fn of(parts: &Parts, app: &App) -> Result<Option<Self>, Fault> {
        let Some(id) = sent(parts) else { return Ok(None) };
        let Some(token) = app.sessions.token(id) else { return Ok(None) };
        match opened(app, &parts.extensions, &token).await {
            Ok(key) => Ok(Some(Self { keyed: Keyed::of(key, token), id, sessions: app.sessions.clone() })),
            Err(fault) if fault.status == StatusCode::UNAUTHORIZED => {
                app.sessions.end(id);
                Ok(None)
            }
            Err(fault) => Err(fault),
        }
    }

    /// The name of the request that a form makes, apart from the names that other keys give.
    pub(crate) fn request(&self, fields: &Fields) -> Result<Option<RequestKey>, BadInput> {
        let Some(given) = fields.get("request") else { return Ok(None) };
        let is_ours = given.len() <= REQUEST_CHARS_MAX
            && given.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !is_ours {
            return Err(BadInput::new("request", "is not one that a page makes"));
        }
        RequestKey::parse(&format!("{}-page-{given}", self.keyed.key().id)).map(Some)
    }

    /// Whether it is a person's key.
    pub(crate) fn is_person(&self) -> bool {
        self.keyed.key().actor.is_person()
    }

    /// Says something on the next page.
    pub(crate) fn say(&self, flash: Flash) {
        if let Some(session) = self.sessions.live().get_mut(&self.id) {
            session.flash = Some(flash);
        }
    }

    /// What is to be said on this page.
    pub(crate) fn said(&self) -> Option<Flash> {
        self.sessions.live().get_mut(&self.id)?.flash.take()
    }

    /// Ends the session.
    pub(crate) fn sign_out(self) {
        self.sessions.end(self.id);
    }
}

impl FromRequestParts<App> for SignedIn {
    type Rejection = Response;

    /// Who only looks is asked to sign in, and comes back; what somebody sent is refused.
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        match Self::of(parts, app).await.map_err(Fault::into_response)? {
            Some(signed) => Ok(signed),
            None if parts.method == Method::GET => {
                let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
                Err(Redirect::to(&sign::path_back_to(path)).into_response())
            }
            None => {
                let message = "nobody is signed in: nothing was changed";
                Err(Fault::new(StatusCode::UNAUTHORIZED, "unauthenticated", message).into_response())
            }
        }
    }
}

fn sent(parts: &Parts) -> Option<SessionId> {
    let cookies = parts.headers.get_all(header::COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
    let mut pairs =
        cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE).map(|(_, secret)| Sessions::id_of(secret))
}
