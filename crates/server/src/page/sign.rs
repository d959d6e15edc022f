//! Signing in with a key, and out.

use askama::Template;
use axum::extract::State;
use axum::http::{Extensions, HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};

use super::fields::{Fields, Queried};
use super::frame::{page, page_of};
use super::session::{COOKIE, SignedIn};
use super::{assets, link};
use crate::app::App;
use crate::fault::Fault;
use crate::keyed::opened;

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignIn {
    /// Where one wanted to go.
    next: String,
    /// Why one is not signed in.
    problem: Option<&'static str>,
}

pub(crate) async fn form(Queried(asked): Queried) -> Result<Response, Fault> {
    page(&SignIn { next: next(&asked), problem: None })
}

pub(crate) async fn sign_in(
    State(app): State<App>,
    headers: HeaderMap,
    extensions: Extensions,
    fields: Fields,
) -> Result<Response, Fault> {
    let token = fields.get("key").unwrap_or_default().trim();
    match opened(&app, &extensions, token).await {
        Ok(_) => {}
        Err(fault) if fault.status == StatusCode::UNAUTHORIZED => {
            let problem = Some("That key opens nothing: it is mistyped, unknown, or revoked.");
            return page_of(StatusCode::UNAUTHORIZED, &SignIn { next: next(&fields), problem });
        }
        Err(fault) => return Err(fault),
    }
    let secret = app.sessions.begin(token.to_owned())?;
    let cookie = format!("{COOKIE}={secret}; {}", attributes(&headers));
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(&next(&fields))).into_response())
}

pub(crate) async fn sign_out(headers: HeaderMap, signed: SignedIn) -> Response {
    signed.sign_out();
    let cookie = format!("{COOKIE}=; Max-Age=0; {}", attributes(&headers));
    ([(header::SET_COOKIE, cookie)], Redirect::to("/sign-in")).into_response()
}

/// Where to sign in, to come back to a path.
pub(crate) fn path_back_to(path: &str) -> String {
    match path {
        "/" | "/memory" => "/sign-in".to_owned(),
        path => link::of("/sign-in", [("next", path)]),
    }
}

/// A path of our own, or the first page.
fn next(fields: &Fields) -> String {
    let is_ours = |path: &&str| {
        path.starts_with('/')
            && !path.starts_with("//")
            && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
    };
    fields.get("next").filter(is_ours).unwrap_or("/").to_owned()
}

/// A browser that came over TLS, as it says itself of its own page, sends the cookie over nothing else.
fn attributes(headers: &HeaderMap) -> &'static str {
    let origin = headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok());
    match origin.is_some_and(|origin| origin.starts_with("https://")) {
        true => "Path=/; HttpOnly; SameSite=Strict; Secure",
        false => "Path=/; HttpOnly; SameSite=Strict",
    }
}
