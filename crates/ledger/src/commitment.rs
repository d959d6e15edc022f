//! Tamper evidence: the chain of digests, the commitment to words, and digests under a tenant's secret.

use fact::{Content, Id, Scope, Slot, Statement, canonical, hex};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::json;
use sha2::{Digest as _, Sha256};

type HmacSha256 = Hmac<Sha256>;

/// The fields of an event that its digest covers, as they are stored.
pub(crate) struct Sealed<'a> {
    pub(crate) tenant: &'a str,
    pub(crate) position: i64,
    pub(crate) fact: &'a str,
    pub(crate) revision: i64,
    pub(crate) version: i64,
    pub(crate) body: &'a str,
    pub(crate) actor: &'a str,
    pub(crate) recorded_at: i64,
    pub(crate) request: Option<&'a str>,
    pub(crate) commitment: Option<&'a [u8]>,
    pub(crate) previous: &'a [u8],
}

impl Sealed<'_> {
    /// SHA-256 over every field, each with its length, so that no two events share an image.
    pub(crate) fn digest(&self) -> Vec<u8> {
        let mut hash = Sha256::new();
        let mut field = |bytes: &[u8]| {
            hash.update(bytes.len().to_be_bytes());
            hash.update(bytes);
        };
        field(b"truthkeeper event 1");
        field(self.previous);
        field(self.tenant.as_bytes());
        field(&self.position.to_be_bytes());
        field(self.fact.as_bytes());
        field(&self.revision.to_be_bytes());
        field(&self.version.to_be_bytes());
        field(self.body.as_bytes());
        field(self.actor.as_bytes());
        field(&self.recorded_at.to_be_bytes());
        field(&[u8::from(self.request.is_some())]);
        field(self.request.unwrap_or_default().as_bytes());
        field(&[u8::from(self.commitment.is_some())]);
        field(self.commitment.unwrap_or_default());
        hash.finalize().to_vec()
    }
}

/// The digest that a tenant's first event follows.
pub(crate) fn genesis(tenant: &Id) -> Vec<u8> {
    let mut hash = Sha256::new();
    hash.update(b"truthkeeper ledger 1\0");
    hash.update(tenant.as_str());
    hash.finalize().to_vec()
}

/// The event's promise about its words: without the salt nobody can guess them from it.
pub(crate) fn commit(salt: &[u8], doc: &str) -> Vec<u8> {
    keyed(salt, &[doc.as_bytes()])
}

/// The promise about a legacy row: its words, and whose they are.
pub(crate) fn legacy(salt: &[u8], scope: &str, doc: &str) -> Vec<u8> {
    keyed(salt, &[scope.as_bytes(), b"\0", doc.as_bytes()])
}

/// A value of its own from `entropy`, for one `purpose`.
pub(crate) fn derived(entropy: &[u8; 32], purpose: &str) -> Vec<u8> {
    keyed(entropy, &[purpose.as_bytes()])
}

/// The slot of a key, as it can be looked up and not guessed.
pub(crate) fn slot(secret: &[u8], slot: &Slot) -> String {
    let Slot { kind, scope, key, keeper } = slot;
    let image = canonical(&json!({ "kind": kind, "scope": scope, "key": key, "keeper": keeper }));
    hex(&keyed(secret, &[b"slot\0", image.as_bytes()]))
}

/// A statement within its scope and type, as it can be looked up and not guessed.
pub(crate) fn statement(secret: &[u8], statement: &Statement) -> String {
    let Statement { kind, scope, statement } = statement;
    let image = canonical(&json!({ "kind": kind, "scope": scope, "statement": statement }));
    hex(&keyed(secret, &[b"statement\0", image.as_bytes()]))
}

/// What somebody's memory says, whatever its kind, as it can be looked up and not guessed.
pub(crate) fn says(secret: &[u8], scope: &Scope, content: &Content) -> String {
    let image = canonical(&json!({ "owner": scope.anchor().token(), "statement": content.statement() }));
    hex(&keyed(secret, &[b"says\0", image.as_bytes()]))
}

/// What a request means, so that the same key with another meaning is noticed.
pub(crate) fn request(secret: &[u8], meaning: &str) -> Vec<u8> {
    keyed(secret, &[b"request\0", meaning.as_bytes()])
}

/// A text, as it can be known again and not guessed.
pub(crate) fn name(secret: &[u8], text: &str) -> Vec<u8> {
    keyed(secret, &[b"name\0", text.as_bytes()])
}

fn keyed(key: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    let mut mac = HmacSha256::new_from_slice(key).expect("HMAC takes a key of any length");
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().to_vec()
}
