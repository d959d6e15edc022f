//! A review that is finished: the decisions with all that it takes to carry them out, and a digest over everything.

use fact::{Actor, Confidence, FactId, FactType, Scope, Text, Timestamp};
use serde::{Deserialize, Serialize};

/// A review that was sealed. Only `seal` makes one, and `parse` reads it back unless a byte was changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Sealed {
    body: Body,
    digest: String,
}

/// What the digest is over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Body {
    audit: String,
    reviewer: Actor,
    sealed_at: Timestamp,
    rows: Vec<SealedRow>,
}

/// The file: its digest first, then what that is over.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct File<B> {
    digest: String,
    sealed: B,
}

/// What was decided about a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SealedRow {
    /// Its id.
    pub row: FactId,
    /// Digest of the document that was reviewed: what the row must still be when the decision is carried out.
    pub digest: String,
    /// Its group in the audit.
    pub group: String,
    /// The decision.
    pub ruling: Ruling,
    /// The note that was left with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<Text>,
}

/// A decision about a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ruling {
    /// It becomes a fact.
    Adopt(Box<Wording>),
    /// The fact of another row cites it.
    Cite {
        /// That row.
        keeper: FactId,
    },
    /// It stays a record of what happened.
    Keep,
    /// It is left out until it changes.
    Reject,
    /// The next audit asks again.
    Defer,
}

/// What the fact of a row says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Wording {
    /// Whose it is.
    pub scope: Scope,
    /// What kind of fact it is.
    #[serde(rename = "type")]
    pub kind: FactType,
    /// What it says, as corrected.
    pub text: Text,
    /// Its slot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Text>,
    /// Its tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Text>,
    /// How sure its author was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// From when it is true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Timestamp>,
    /// Until when it is true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Timestamp>,
    /// When it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_at: Option<Timestamp>,
}

/// A file that is no sealed review. Carries no text of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadSeal {
    /// It cannot be read as one.
    #[error("this is not a sealed review")]
    Unreadable,
    /// It is not as it was when it was sealed.
    #[error("the sealed review was changed after it was sealed")]
    Changed,
}

impl Sealed {
    pub(super) fn new(audit: String, reviewer: Actor, sealed_at: Timestamp, rows: Vec<SealedRow>) -> Self {
        let body = Body { audit, reviewer, sealed_at, rows };
        let digest = super::digest(&super::exact_json(&body));
        Self { body, digest }
    }

    /// The file: one line of JSON.
    pub fn render(&self) -> String {
        let file = File { digest: self.digest.clone(), sealed: &self.body };
        format!("{}\n", super::exact_json(&file))
    }

    /// Reads a file that `render` made; refuses it where any byte of it is another.
    pub fn parse(text: &str) -> Result<Self, BadSeal> {
        let file: File<Body> = serde_json::from_str(text).map_err(|_| BadSeal::Unreadable)?;
        let sealed = Self { body: file.sealed, digest: file.digest };
        let is_whole =
            super::digest(&super::exact_json(&sealed.body)) == sealed.digest && sealed.render() == text;
        is_whole.then_some(sealed).ok_or(BadSeal::Changed)
    }

    /// SHA-256 over everything else: what an adoption names it by.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Digest of the audit.
    pub fn audit(&self) -> &str {
        &self.body.audit
    }

    /// Who decided.
    pub fn reviewer(&self) -> &Actor {
        &self.body.reviewer
    }

    /// When it was sealed.
    pub fn sealed_at(&self) -> Timestamp {
        self.body.sealed_at
    }

    /// Every row of the audit with its decision, in the order of its groups.
    pub fn rows(&self) -> &[SealedRow] {
        &self.body.rows
    }
}
