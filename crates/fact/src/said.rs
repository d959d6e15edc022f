//! What surrounds a statement: who said it, how sure, on what grounds, for how long, about whom.

use serde::{Deserialize, Serialize};

use crate::{
    BadInput, Confidence, Content, FactId, Id, ReviewId, RevisionNumber, Span, Text, Timestamp, limits, text,
};

/// How far a revision is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trust {
    /// Said by someone who may say it.
    Asserted,
    /// Said by an agent, and nobody vouched for it yet.
    Unverified,
    /// A person vouched for it.
    Verified,
}

impl Trust {
    /// The lesser of two: what nobody vouched for is less than what somebody may say, and that less than what a person
    /// verified.
    #[must_use]
    pub fn least(self, other: Self) -> Self {
        let rank = |trust: Self| match trust {
            Self::Unverified => 0,
            Self::Asserted => 1,
            Self::Verified => 2,
        };
        if rank(other) < rank(self) { other } else { self }
    }
}

/// Who acts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind", deny_unknown_fields)]
pub enum Actor {
    /// A person who uses the application.
    User {
        /// The person.
        id: Id,
    },
    /// An agent, with its version.
    Agent {
        /// The agent.
        id: Id,
        /// Its version, where it is known.
        #[serde(rename = "agentVersion", default, skip_serializing_if = "Option::is_none")]
        version: Option<Id>,
    },
    /// A person who runs the install.
    Operator {
        /// The operator.
        id: Id,
    },
    /// An import of older memories.
    Migration {
        /// The import.
        id: Id,
    },
    /// A program that is no agent.
    Service {
        /// The program.
        id: Id,
    },
}

impl Actor {
    /// A person: a user or an operator. Everyone else is a machine.
    pub fn is_person(&self) -> bool {
        match self {
            Self::User { .. } | Self::Operator { .. } => true,
            Self::Agent { .. } | Self::Migration { .. } | Self::Service { .. } => false,
        }
    }

    /// Migrations and services bring facts in; they do not replace one that stands.
    pub fn only_creates(&self) -> bool {
        match self {
            Self::Migration { .. } | Self::Service { .. } => true,
            Self::User { .. } | Self::Operator { .. } | Self::Agent { .. } => false,
        }
    }

    /// The agent whose keyed facts are its own; none for everyone else.
    pub fn keeper(&self) -> Option<&Id> {
        match self {
            Self::Agent { id, .. } => Some(id),
            Self::User { .. } | Self::Operator { .. } | Self::Migration { .. } | Self::Service { .. } => None,
        }
    }

    /// How far its word is trusted when the draft does not say.
    pub fn default_trust(&self) -> Trust {
        match self {
            Self::Agent { .. } => Trust::Unverified,
            Self::User { .. } | Self::Operator { .. } | Self::Migration { .. } | Self::Service { .. } => {
                Trust::Asserted
            }
        }
    }

    /// The admission of what it says: adoption outside review waits for an operator.
    pub fn admission(&self) -> Admission {
        match self {
            Self::Migration { .. } => Admission::Quarantined,
            Self::User { .. } | Self::Operator { .. } | Self::Agent { .. } | Self::Service { .. } => {
                Admission::Admitted
            }
        }
    }

    /// Reads `user:ID`, `operator:ID`, `agent:ID@VERSION`, `migration:ID` or `service:ID`.
    pub fn parse(field: &'static str, path: &str) -> Result<Self, BadInput> {
        let bad = || {
            BadInput::new(field, "must be user:ID, operator:ID, agent:ID@VERSION, migration:ID or service:ID")
        };
        let (kind, name) = path.split_once(':').ok_or_else(bad)?;
        let id = |name: &str| Id::parse(field, name);
        Ok(match kind {
            "user" => Self::User { id: id(name)? },
            "operator" => Self::Operator { id: id(name)? },
            "migration" => Self::Migration { id: id(name)? },
            "service" => Self::Service { id: id(name)? },
            "agent" => match name.split_once('@') {
                Some((name, version)) => Self::Agent { id: id(name)?, version: Some(id(version)?) },
                None => Self::Agent { id: id(name)?, version: None },
            },
            _ => return Err(bad()),
        })
    }
}

/// Whether a revision's provenance allows recall at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Admission {
    /// It may be recalled.
    Admitted,
    /// It waits for an operator's review.
    Quarantined,
}

/// What kind of thing an evidence points at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EvidenceKind {
    /// A message.
    Message,
    /// A run of an agent.
    Run,
    /// An operator's act.
    Operator,
    /// A memory from before the ledger.
    Legacy,
}

/// What a revision rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Evidence {
    /// What it points at.
    pub kind: EvidenceKind,
    /// Which one.
    pub id: Id,
    /// Digest of what it points at: 64 hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The words that bear the statement out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<Text>,
}

impl Evidence {
    /// Checks the id, the digest and the quote.
    pub(crate) fn check(&self) -> Result<(), BadInput> {
        Id::parse("evidence.id", self.id.as_str())?;
        let hex_digits =
            |digest: &String| digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !self.digest.as_ref().is_none_or(hex_digits) {
            return Err(BadInput::new("evidence.digest", "must be null or 64 hexadecimal digits"));
        }
        self.quote.as_ref().map_or(Ok(()), |quote| {
            text::check_length("evidence.quote", quote.as_str(), limits::QUOTE_CHARS_MAX)
        })
    }

    /// The same thing pointed at, whatever the quote.
    pub fn same_as(&self, other: &Self) -> bool {
        self.kind == other.kind && self.id == other.id
    }
}

/// Where a statement comes from, as ids.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Provenance {
    /// The run.
    #[serde(rename = "runId", default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Id>,
    /// The step of the run.
    #[serde(rename = "stepId", default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Id>,
    /// The tool call.
    #[serde(rename = "toolCallId", default, skip_serializing_if = "Option::is_none")]
    pub tool_call: Option<Id>,
    /// The message.
    #[serde(rename = "messageId", default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Id>,
    /// The channel it came in by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<Id>,
    /// Who spoke, where a message has several speakers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaker: Option<Id>,
    /// The conversation it was said in, where the fact is not kept for that conversation.
    #[serde(rename = "threadId", default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<Id>,
    /// Its place in that conversation.
    #[serde(rename = "seq", default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<u32>,
    /// The agent.
    #[serde(rename = "agentId", default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Id>,
    /// The runtime profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime_profile: Option<Id>,
    /// The backend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backend: Option<Id>,
    /// The provider of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<Id>,
    /// The model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Id>,
    /// The version of the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_version: Option<Id>,
    /// Facts that this one was derived from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derived_from: Vec<FactId>,
}

impl Provenance {
    pub(crate) fn check(&self) -> Result<(), BadInput> {
        let Self {
            run,
            step,
            tool_call,
            message,
            channel,
            speaker,
            thread,
            sequence: _,
            agent,
            runtime_profile,
            backend,
            provider,
            model,
            prompt_version,
            derived_from,
        } = self;
        let named = [
            ("generatedBy.runId", run),
            ("generatedBy.stepId", step),
            ("generatedBy.toolCallId", tool_call),
            ("generatedBy.messageId", message),
            ("generatedBy.channel", channel),
            ("generatedBy.speaker", speaker),
            ("generatedBy.threadId", thread),
            ("generatedBy.agentId", agent),
            ("generatedBy.runtimeProfile", runtime_profile),
            ("generatedBy.backend", backend),
            ("generatedBy.provider", provider),
            ("generatedBy.model", model),
            ("generatedBy.promptVersion", prompt_version),
        ];
        for (field, id) in named {
            if let Some(id) = id {
                Id::parse(field, id.as_str())?;
            }
        }
        check_count("generatedBy.derivedFrom", derived_from.len(), limits::DERIVED_FROM_MAX)
    }
}

/// How long a fact is kept.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Retention {
    /// Days from the first write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_days: Option<u32>,
    /// Until this instant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_until: Option<Timestamp>,
    /// A person's verification lifts both bounds.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unless_verified: bool,
}

impl Retention {
    /// When a fact first written at `created` stops being kept: the earlier of the two bounds.
    pub fn expires_at(&self, created: Timestamp) -> Option<Timestamp> {
        let by_days = self.keep_days.map(|days| created.plus_days(days));
        [by_days, self.keep_until].into_iter().flatten().min()
    }
}

/// What kind of person or thing a fact is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// The kind, such as `participant`.
    pub kind: Id,
    /// The id.
    pub id: Id,
}

/// How a revision came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Origin {
    /// It was said.
    Stated,
    /// A person vouched for that revision.
    Verified(RevisionNumber),
    /// That revision was brought back.
    Restored(RevisionNumber),
    /// A person took a proposal back up that had waited.
    Accepted(ReviewId),
    /// That revision was written again in another scope.
    Moved(RevisionNumber),
    /// A person found that a conflict's sides are both true: it was a side of another fact.
    SetApart {
        /// The other fact.
        fact: FactId,
        /// The side.
        revision: RevisionNumber,
    },
}

/// The part of a statement that stays in the event for ever: no words that anyone typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Saying {
    /// How it came about.
    pub origin: Origin,
    /// How sure its author is.
    pub confidence: Confidence,
    /// How far it is trusted.
    pub trust: Trust,
    /// Whether it may be recalled, as of when it was said.
    pub admission: Admission,
    /// From when it is true; the moment of recording when none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Timestamp>,
    /// Until when it is true, that instant not included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Timestamp>,
    /// When its author saw it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_at: Option<Timestamp>,
    /// How long it is kept.
    pub retention: Retention,
    /// Whom or what it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subjects: Vec<Subject>,
    /// Where it comes from.
    pub provenance: Provenance,
    /// Who said it, where somebody else wrote it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said_by: Option<Actor>,
}

impl Origin {
    /// The revision of the same fact that is written again.
    pub(crate) fn written_again(self) -> Option<RevisionNumber> {
        match self {
            Self::Verified(revision) | Self::Restored(revision) | Self::Moved(revision) => Some(revision),
            Self::Stated | Self::Accepted(_) | Self::SetApart { .. } => None,
        }
    }
}

impl Saying {
    /// When a revision recorded at `recorded` holds by itself: its own validity, and no longer than its fact,
    /// first written at `created`, is kept.
    pub fn span(&self, revision: RevisionNumber, created: Timestamp, recorded: Timestamp) -> Span {
        let until = [self.valid_until, self.retention.expires_at(created)].into_iter().flatten().min();
        Span { revision, from: self.valid_from.unwrap_or(recorded), until, erased: false }
    }
}

/// Everything that a person or a model typed: held apart from the event, so that it can be erased.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Words {
    /// What the fact says.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "present")]
    pub content: Option<Content>,
    /// The slot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Text>,
    /// Tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Text>,
    /// Why it was said or done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Text>,
    /// What it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
}

impl Words {
    /// True when nobody typed anything.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Keeps a content that is JSON `null` apart from no content.
mod present {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    use crate::Content;

    pub(super) fn serialize<S: Serializer>(content: &Option<Content>, to: S) -> Result<S::Ok, S::Error> {
        content.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Content>, D::Error> {
        Content::deserialize(from).map(Some)
    }
}

pub(crate) fn check_count(field: &'static str, count: usize, most: usize) -> Result<(), BadInput> {
    if count > most {
        return Err(BadInput::new(field, format!("has {count} entries; at most {most}")));
    }
    Ok(())
}
