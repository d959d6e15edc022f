//! `/v1/memory/facts`: writing, reading and changing facts.

pub(crate) mod act;
pub(crate) mod bulk;
pub(crate) mod read;
pub(crate) mod write;

use truthkeeper::{BadInput, MemoryError, RevisionNumber};

use crate::fault::Fault;
use crate::input;
use crate::keyed::Keyed;

/// The version that must be the current one, by a header or by the request itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) number: Option<RevisionNumber>,
    by_header: bool,
}

impl Expected {
    /// What `If-Match` and `expectVersion` say, which must not be two things.
    pub(crate) fn of(keyed: &Keyed, asked: Option<RevisionNumber>) -> Result<Self, BadInput> {
        let matched = match keyed.if_match() {
            None | Some("*") => None,
            Some(tag) => Some(version_of(tag)?),
        };
        if let (Some(matched), Some(asked)) = (matched, asked)
            && matched != asked
        {
            return Err(BadInput::new("If-Match", "is another version than expectVersion"));
        }
        Ok(Self { number: matched.or(asked), by_header: matched.is_some() })
    }

    /// Refuses a header that this act has no use for.
    pub(crate) fn none(keyed: &Keyed) -> Result<(), BadInput> {
        match keyed.if_match() {
            None => Ok(()),
            Some(_) => Err(BadInput::new("If-Match", "has no use here")),
        }
    }

    /// A stale header is a failed condition; a stale member is a conflict.
    pub(crate) fn refused(self, error: MemoryError) -> Fault {
        let fault = Fault::from(error);
        match self.by_header && fault.code == "fact-changed" {
            true => Fault {
                status: axum::http::StatusCode::PRECONDITION_FAILED,
                code: "precondition-failed",
                ..fault
            },
            false => fault,
        }
    }
}

/// The ETag of a version.
pub(crate) fn tag(version: RevisionNumber) -> String {
    format!("\"{version}\"")
}

fn version_of(tag: &str) -> Result<RevisionNumber, BadInput> {
    let bad = || BadInput::new("If-Match", "must be one ETag that a fact was given with, such as \"3\"");
    let number = tag.trim().strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).ok_or_else(bad)?;
    input::version("If-Match", number).map_err(|_| bad())
}
