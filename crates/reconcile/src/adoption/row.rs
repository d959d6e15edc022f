//! A legacy row as it comes to an audit, and what is remarkable about it.

use fact::{Container, FactId, Legacy, LegacyOrigin, Scope, Text, hides_text, limits, reorders_text};
use serde::{Deserialize, Serialize};

/// A legacy row with all that an audit looks at. The id of each is its own.
#[derive(Debug, Clone)]
pub struct AuditRow {
    /// Its id.
    pub row: FactId,
    /// Where it would be a fact.
    pub scope: Scope,
    /// What its source tells.
    pub legacy: Legacy,
    /// Digest of the document that is stored of it.
    pub digest: String,
    /// What an earlier review said of it.
    pub earlier: Option<Earlier>,
    /// What the ledger holds that says the same in that scope.
    pub known: Option<Known>,
    /// What it means, as a vector of unit length; empty where that is not known.
    pub meaning: Vec<f32>,
}

/// What an earlier review said of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Earlier {
    /// The decision.
    pub decision: EarlierDecision,
    /// The note that was left with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<Text>,
}

/// How an earlier review left a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EarlierDecision {
    /// It was rejected, and has changed since.
    Rejected,
    /// It was put off.
    Deferred,
    /// It was adopted, and that was taken back.
    RolledBack,
}

/// A fact of the ledger that says the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Known {
    /// The fact.
    pub fact: FactId,
    /// How it stands.
    pub state: KnownState,
}

/// How a fact that says the same stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KnownState {
    /// It is current.
    Current,
    /// It is a side of an open conflict.
    Contested,
    /// It was forgotten.
    Forgotten,
    /// It is current, and says otherwise.
    Contradicted,
}

/// Something about a row that a person should see. The gravest come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// By its source it is somebody else's than the scope says.
    UnknownScope,
    /// By its source it is of a project that the scope does not name.
    ForeignProject,
    /// Fields of the source are not as they must be.
    MalformedFields,
    /// Nobody knows how it came to be remembered.
    UnknownOrigin,
    /// The ledger holds it as a side of an open conflict.
    Contested,
    /// A fact that is current says otherwise.
    AgainstLedger,
    /// It says what was forgotten.
    Forgotten,
    /// An earlier review rejected it.
    RejectedBefore,
    /// An earlier adoption of it was taken back.
    RolledBackBefore,
    /// An earlier review put it off.
    DeferredBefore,
    /// It holds text that nobody sees, or that is shown in another order than it is read in.
    HiddenText,
    /// The ledger holds the same, and it is current.
    InLedger,
    /// Its key cannot be one in the ledger; it would be adopted without.
    UnfitKey,
    /// Some of its tags cannot be tags in the ledger; it would be adopted without them.
    UnfitTags,
}

impl Flag {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::UnknownScope => "unknown-scope",
            Self::ForeignProject => "foreign-project",
            Self::MalformedFields => "malformed-fields",
            Self::UnknownOrigin => "unknown-origin",
            Self::Contested => "contested",
            Self::AgainstLedger => "against-ledger",
            Self::Forgotten => "forgotten",
            Self::RejectedBefore => "rejected-before",
            Self::RolledBackBefore => "rolled-back-before",
            Self::DeferredBefore => "deferred-before",
            Self::HiddenText => "hidden-text",
            Self::InLedger => "in-ledger",
            Self::UnfitKey => "unfit-key",
            Self::UnfitTags => "unfit-tags",
        }
    }

    /// Whether its provenance is malformed.
    pub(super) fn is_of_provenance(self) -> bool {
        match self {
            Self::UnknownScope | Self::ForeignProject | Self::MalformedFields | Self::UnknownOrigin => true,
            Self::Contested
            | Self::AgainstLedger
            | Self::Forgotten
            | Self::RejectedBefore
            | Self::RolledBackBefore
            | Self::DeferredBefore
            | Self::HiddenText
            | Self::InLedger
            | Self::UnfitKey
            | Self::UnfitTags => false,
        }
    }

    /// Whether a row that has it may be approved with others in one decision.
    pub(super) fn allows_bulk(self) -> bool {
        match self {
            Self::MalformedFields
            | Self::UnknownOrigin
            | Self::InLedger
            | Self::UnfitKey
            | Self::UnfitTags => true,
            Self::UnknownScope
            | Self::ForeignProject
            | Self::Contested
            | Self::AgainstLedger
            | Self::Forgotten
            | Self::RejectedBefore
            | Self::RolledBackBefore
            | Self::DeferredBefore
            | Self::HiddenText => false,
        }
    }
}

impl AuditRow {
    /// What is remarkable about it, the gravest first.
    pub(super) fn flags(&self) -> Vec<Flag> {
        let legacy = &self.legacy;
        let text = legacy.text.as_str();
        let project = legacy.project.as_ref().map(Text::as_str);
        let flags = [
            (Flag::UnknownScope, !self.is_of_its_owner()),
            (
                Flag::ForeignProject,
                project
                    .is_some_and(|named| self.scope.project.as_ref().is_none_or(|id| id.as_str() != named)),
            ),
            (Flag::MalformedFields, !legacy.malformed.is_empty()),
            (Flag::UnknownOrigin, legacy.origin == LegacyOrigin::Unknown),
            (Flag::Contested, self.is_known_as(KnownState::Contested)),
            (Flag::AgainstLedger, self.is_known_as(KnownState::Contradicted)),
            (Flag::Forgotten, self.is_known_as(KnownState::Forgotten)),
            (Flag::RejectedBefore, self.was(EarlierDecision::Rejected)),
            (Flag::RolledBackBefore, self.was(EarlierDecision::RolledBack)),
            (Flag::DeferredBefore, self.was(EarlierDecision::Deferred)),
            (Flag::HiddenText, hides_text(text) || reorders_text(text)),
            (Flag::InLedger, self.is_known_as(KnownState::Current)),
            (Flag::UnfitKey, legacy.key.is_some() && fit_key(legacy).is_none()),
            (Flag::UnfitTags, fit_tags(legacy).len() < legacy.tags.len()),
        ];
        flags.into_iter().filter(|(_, has)| *has).map(|(flag, _)| flag).collect()
    }

    fn is_of_its_owner(&self) -> bool {
        let person = match self.scope.owner() {
            Some(Container::Participant { participant: id, .. } | Container::User(id)) => Some(id),
            Some(
                Container::Tenant
                | Container::Org(_)
                | Container::Project(_)
                | Container::Thread(_)
                | Container::PeopleOf(_),
            )
            | None => None,
        };
        let claimed = self.legacy.owner.as_ref().map(Text::as_str);
        claimed.is_none_or(|claimed| person.is_some_and(|id| id.as_str() == claimed))
    }

    fn is_known_as(&self, state: KnownState) -> bool {
        self.known.is_some_and(|known| known.state == state)
    }

    fn was(&self, decision: EarlierDecision) -> bool {
        self.earlier.as_ref().is_some_and(|earlier| earlier.decision == decision)
    }
}

/// The key of a row, where it can be one in the ledger.
pub(super) fn fit_key(legacy: &Legacy) -> Option<&Text> {
    legacy.key.as_ref().filter(|key| Text::parse_name("key", key.as_str(), limits::KEY_CHARS_MAX).is_ok())
}

/// The tags of a row that can be tags in the ledger.
pub(super) fn fit_tags(legacy: &Legacy) -> Vec<&Text> {
    let is_fit = |tag: &&Text| Text::parse_name("tags", tag.as_str(), limits::TAG_CHARS_MAX).is_ok();
    legacy.tags.iter().filter(is_fit).take(limits::TAGS_MAX).collect()
}
