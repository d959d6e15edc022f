//! What is over and can be restored, as programs read it.

use serde::Serialize;
use truthkeeper::{Actor, Ended, Forgotten, Text};
use utoipa::ToSchema;

use super::{Fact, shown};
use crate::described::shapes;

/// A fact that is over.
#[derive(Debug, Serialize, ToSchema)]
pub struct Over<'a> {
    #[serde(flatten)]
    fact: Fact<'a>,
    ended: How<'a>,
}

/// How it ended.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase", tag = "how")]
enum How<'a> {
    /// Somebody had it forgotten.
    Forgotten {
        at: String,
        #[schema(value_type = shapes::Actor)]
        by: &'a Actor,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<String>)]
        reason: Option<&'a Text>,
    },
    /// Its time was over.
    Expired { at: String },
}

impl<'a> Over<'a> {
    /// How the fact ended.
    pub fn of(forgotten: &'a Forgotten) -> Self {
        let ended = match &forgotten.ended {
            Ended::Forgotten { at, by, reason } => {
                How::Forgotten { at: shown(*at), by, reason: reason.as_ref() }
            }
            Ended::Expired { at } => How::Expired { at: shown(*at) },
        };
        Self { fact: Fact::of(&forgotten.seen), ended }
    }
}
