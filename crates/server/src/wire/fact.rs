//! A fact as programs read it: the one place that says which fields it has.

use serde::Serialize;
use serde_json::Value;
use truthkeeper::{
    Actor, Admission, Evidence, FactId, FactType, Head, Outcome, Position, Provenance, RecalledFact, Receipt,
    RequestKey, Retention, Revision, RevisionNumber, Scope, Seen, State, Subject, Text, Timestamp, Trust,
};

/// A revision of a fact.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fact<'a> {
    id: FactId,
    #[serde(rename = "type")]
    kind: &'a FactType,
    scope: &'a Scope,
    version: RevisionNumber,
    created_at: String,
    position: Position,
    state: State,
    #[serde(flatten)]
    said: Said<'a>,
    #[serde(skip_serializing_if = "is_admitted")]
    admission: Admission,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    legal_hold: bool,
    /// Facts that were merged into this revision.
    #[serde(skip_serializing_if = "<[FactId]>::is_empty")]
    merged: &'a [FactId],
}

/// What was said, and by whom.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Said<'a> {
    content: Option<&'a Value>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    erased: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<usize>,
    trust: Trust,
    attributed_to: &'a Actor,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a Text>,
    #[serde(skip_serializing_if = "<[Text]>::is_empty")]
    tags: &'a [Text],
    confidence: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    valid_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    valid_until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    observed_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a Text>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<&'a Evidence>,
    #[serde(skip_serializing_if = "is_nowhere")]
    generated_by: &'a Provenance,
    #[serde(skip_serializing_if = "<[Subject]>::is_empty")]
    subjects: &'a [Subject],
    #[serde(skip_serializing_if = "Option::is_none")]
    retention: Option<Kept>,
}

/// How long it is kept.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Kept {
    #[serde(skip_serializing_if = "Option::is_none")]
    keep_days: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keep_until: Option<String>,
}

/// A change: the revision that it made or met, where there is one to show, and its receipt.
#[derive(Debug, Serialize)]
pub struct Changed<'a> {
    #[serde(flatten)]
    fact: Option<Fact<'a>>,
    receipt: Told<'a>,
}

/// A receipt.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Told<'a> {
    #[serde(flatten)]
    outcome: Outcome,
    fact: FactId,
    revision: RevisionNumber,
    replayed: bool,
    searchable: bool,
    idempotency_key: &'a str,
}

impl<'a> Fact<'a> {
    /// The revision that was seen.
    pub fn of(seen: &'a Seen) -> Self {
        let Seen { head, revision, state, admission } = seen;
        Self::made(head, revision, *state, *admission)
    }

    /// What was recalled: the settled truth of the time that was asked about, admitted by the gate.
    pub fn recalled(fact: &'a RecalledFact) -> Self {
        Self::made(&fact.case.head, &fact.revision, State::Active, Admission::Admitted)
    }

    fn made(head: &'a Head, revision: &'a Revision, state: State, admission: Admission) -> Self {
        Self {
            id: head.fact,
            kind: &head.kind,
            scope: &head.scope,
            version: revision.number,
            created_at: revision.recorded_at.to_string(),
            position: revision.position,
            state,
            said: Said::of(revision),
            admission,
            expires_at: revision.saying.retention.expires_at(head.created_at).map(shown),
            legal_hold: head.held,
            merged: &revision.merged,
        }
    }
}

impl<'a> Said<'a> {
    /// What the revision says.
    pub fn of(revision: &'a Revision) -> Self {
        let said = &revision.saying;
        let words = revision.words.as_ref();
        let content = revision.content();
        Self {
            content: content.map(|content| content.value()),
            erased: content.is_none(),
            content_hash: content.map(|content| content.hash()),
            size: content.map(|content| content.size()),
            trust: said.trust,
            attributed_to: revision.author(),
            key: words.and_then(|words| words.key.as_ref()),
            tags: words.map_or(&[], |words| &words.tags),
            confidence: said.confidence.to_string().parse().map_or(Value::Null, Value::Number),
            valid_from: said.valid_from.map(shown),
            valid_until: said.valid_until.map(shown),
            observed_at: said.observed_at.map(shown),
            reason: words.and_then(|words| words.reason.as_ref()),
            evidence: revision.evidence().collect(),
            generated_by: &said.provenance,
            subjects: &said.subjects,
            retention: (said.retention != Retention::default()).then(|| Kept {
                keep_days: said.retention.keep_days,
                keep_until: said.retention.keep_until.map(shown),
            }),
        }
    }
}

impl<'a> Changed<'a> {
    /// What a receipt says, with the revision that it names.
    pub fn of(seen: Option<&'a Seen>, receipt: &Receipt, key: &'a RequestKey) -> Self {
        let Receipt { fact, revision, outcome, replayed, searchable } = *receipt;
        let idempotency_key = key.as_str();
        Self {
            fact: seen.map(Fact::of),
            receipt: Told { outcome, fact, revision, replayed, searchable, idempotency_key },
        }
    }
}

/// A time as it is shown: UTC, to the millisecond.
pub fn shown(time: Timestamp) -> String {
    time.to_string()
}

fn is_admitted(admission: &Admission) -> bool {
    *admission == Admission::Admitted
}

fn is_nowhere(provenance: &&Provenance) -> bool {
    **provenance == Provenance::default()
}

/// Whether the revision that a receipt names says what the request said, or what the caller acted on.
pub fn tells_of_own_words(outcome: Outcome) -> bool {
    match outcome {
        Outcome::HeldBack { .. } | Outcome::Dismissed { .. } | Outcome::Reopened { .. } => false,
        Outcome::Created
        | Outcome::Superseded
        | Outcome::Unchanged
        | Outcome::EvidenceAdded
        | Outcome::History
        | Outcome::ConflictOpened { .. }
        | Outcome::ConflictJoined { .. }
        | Outcome::Accepted { .. }
        | Outcome::Settled { .. }
        | Outcome::Expired
        | Outcome::Verified
        | Outcome::Retracted
        | Outcome::Restored
        | Outcome::Moved
        | Outcome::Merged { .. }
        | Outcome::Split { .. }
        | Outcome::Admitted
        | Outcome::Quarantined
        | Outcome::HoldPlaced
        | Outcome::HoldLifted => true,
    }
}
