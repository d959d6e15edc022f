//! A key that is shown to nobody but the endpoint.

use std::fmt;

use reqwest::header::HeaderValue;

/// An API key. Printing it prints nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// The key as the endpoint's owner gave it out.
    pub fn new(key: String) -> Self {
        Self(key)
    }

    /// `Bearer <key>`, which no log prints either; nothing where the key holds what a header cannot.
    pub(super) fn header(&self) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", self.0.trim())).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("ApiKey")
    }
}
