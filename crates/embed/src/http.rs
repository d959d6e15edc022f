//! The HTTP client: TLS by rustls with the system's roots, and errors without addresses.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// An `http` or `https` address without credentials, query or fragment, or why it is none.
pub(crate) fn base(text: &str) -> Result<Url, &'static str> {
    let url = Url::parse(text.trim_end_matches('/')).map_err(|_| "its address is no URL")?;
    if !["http", "https"].contains(&url.scheme()) || !url.has_host() {
        return Err("its address is neither http nor https");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("its address holds credentials, which would be shown: use the api key");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("its address holds a query or a fragment");
    }
    Ok(url)
}

/// A client for one address. It goes on to another as far as `redirects` lets it, and waits `silence` for a byte.
pub(crate) fn client(base: &Url, redirects: Policy, silence: Duration) -> Result<Client, &'static str> {
    let builder = Client::builder()
        .tls_backend_preconfigured(tls()?)
        .connect_timeout(CONNECT_TIMEOUT)
        .read_timeout(silence)
        .referer(false)
        .redirect(redirects);
    // A proxy's loopback is another machine's.
    let builder = if is_loopback(base) { builder.no_proxy() } else { builder };
    builder.build().map_err(|_| "the http client cannot be made")
}

fn is_loopback(base: &Url) -> bool {
    base.host_str().is_some_and(|host| {
        let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
        host == "localhost" || address.is_ok_and(|address| address.is_loopback())
    })
}

/// A system without roots still reaches a plain `http` address; to another it fails by its certificate.
fn tls() -> Result<ClientConfig, &'static str> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|_| "tls cannot be set up")?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

/// What went wrong, without the address and without what was sent.
pub(crate) fn reason(error: &reqwest::Error) -> &'static str {
    if error.is_timeout() {
        "no answer in time"
    } else if of_certificate(error) {
        "its certificate is not one that this system trusts"
    } else if error.is_connect() {
        "cannot connect"
    } else if error.is_redirect() {
        "it was sent elsewhere too often"
    } else {
        "the connection broke"
    }
}

/// An i/o error has what it was made of within, and tells only of the cause of that.
fn of_certificate(error: &(dyn Error + 'static)) -> bool {
    if let Some(failure) = error.downcast_ref() {
        return matches!(failure, rustls::Error::InvalidCertificate(_));
    }
    match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        Some(within) => of_certificate(within),
        None => error.source().is_some_and(of_certificate),
    }
}

#[cfg(test)]
mod tests;
