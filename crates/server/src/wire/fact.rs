//! A fact as programs read it: the one place that says which fields it has.

use crate::described::shapes;
use serde::Serialize;
use serde_json::Value;
use truthkeeper::{
    Actor, Admission, Evidence, FactId, FactType, Head, Memory, Outcome, Position, Provenance, RecalledFact,
    Receipt, RequestKey, Retention, Revision, RevisionNumber, Scope, Seen, State, Subject, Text, Timestamp,
    Trust,
};
use utoipa::openapi::schema::{AllOfBuilder, AnyOfBuilder};
use utoipa::openapi::{ObjectBuilder, Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A revision of a fact.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fact<'a> {
    #[schema(value_type = String, format = Uuid)]
    id: FactId,
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    kind: &'a FactType,
    #[schema(value_type = shapes::Scope)]
    scope: &'a Scope,
    #[schema(value_type = u64, minimum = 1, maximum = 4_294_967_295_u32)]
    version: RevisionNumber,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(value_type = u64)]
    position: Position,
    #[schema(value_type = shapes::State)]
    state: State,
    #[serde(skip_serializing_if = "Option::is_none")]
    embedding_model: Option<String>,
    #[serde(flatten)]
    said: Said<'a>,
    #[serde(skip_serializing_if = "is_admitted")]
    #[schema(value_type = shapes::Admission)]
    admission: Admission,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    expires_at: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    legal_hold: bool,
    /// Facts that were merged into this revision.
    #[serde(skip_serializing_if = "<[FactId]>::is_empty")]
    #[schema(value_type = Vec<String>)]
    merged: &'a [FactId],
}

/// What was said, and by whom.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Said<'a> {
    #[schema(value_type = Value)]
    content: Option<&'a Value>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    erased: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<usize>,
    #[schema(value_type = shapes::Trust)]
    trust: Trust,
    #[schema(value_type = shapes::Actor)]
    attributed_to: &'a Actor,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    key: Option<&'a Text>,
    #[serde(skip_serializing_if = "<[Text]>::is_empty")]
    #[schema(value_type = Vec<String>)]
    tags: &'a [Text],
    #[schema(value_type = f64, minimum = 0, maximum = 1)]
    confidence: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    valid_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    valid_until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    observed_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    reason: Option<&'a Text>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<shapes::Evidence>)]
    evidence: Vec<&'a Evidence>,
    #[serde(skip_serializing_if = "is_nowhere")]
    #[schema(value_type = shapes::GeneratedBy)]
    generated_by: &'a Provenance,
    #[serde(skip_serializing_if = "<[Subject]>::is_empty")]
    #[schema(value_type = Vec<shapes::Subject>)]
    subjects: &'a [Subject],
    #[serde(skip_serializing_if = "Option::is_none")]
    retention: Option<Kept>,
}

/// How long it is kept.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Kept {
    #[serde(skip_serializing_if = "Option::is_none")]
    keep_days: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
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
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Told<'a> {
    #[serde(flatten)]
    #[schema(value_type = shapes::Outcome)]
    outcome: Outcome,
    #[schema(value_type = String, format = Uuid)]
    fact: FactId,
    #[schema(value_type = u64, minimum = 1, maximum = 4_294_967_295_u32)]
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

    /// The same, with the model that embedded it.
    pub fn embedded(self, model: Option<&str>) -> Self {
        Self { embedding_model: model.map(str::to_owned), ..self }
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
            embedding_model: None,
            said: Said::of(revision),
            admission,
            expires_at: revision.saying.retention.expires_at(head.created_at).map(shown),
            legal_hold: head.held,
            merged: &revision.merged,
        }
    }
}

/// What was seen, each with the model that embedded it.
pub async fn facts<'a>(memory: &Memory, seen: &'a [Seen]) -> Vec<Fact<'a>> {
    let embedded = memory.embedded(seen.iter().map(|seen| &seen.revision)).await;
    seen.iter().map(|seen| Fact::of(seen).embedded(embedded.model_of(&seen.revision))).collect()
}

/// The same of one.
pub async fn fact<'a>(memory: &Memory, seen: &'a Seen) -> Fact<'a> {
    let embedded = memory.embedded([&seen.revision]).await;
    Fact::of(seen).embedded(embedded.model_of(&seen.revision))
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

/// With the members of a fact or without: a flattened option would be described as an object that is none.
impl PartialSchema for Changed<'_> {
    fn schema() -> RefOr<Schema> {
        let receipt = Ref::from_schema_name(Told::name());
        let receipt = ObjectBuilder::new().property("receipt", receipt).required("receipt").build();
        let shown = AllOfBuilder::new().item(Ref::from_schema_name(Fact::name())).item(receipt.clone());
        let about = "The revision that it made or met, where there is one to show, and its receipt";
        AnyOfBuilder::new().item(shown).item(receipt).description(Some(about)).into()
    }
}

impl ToSchema for Changed<'_> {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Fact::name().into_owned(), Fact::schema()));
        schemas.push((Told::name().into_owned(), Told::schema()));
        Fact::schemas(schemas);
        Told::schemas(schemas);
    }
}

impl<'a> Changed<'a> {
    /// What a receipt says, with the revision that it names.
    pub fn of(shown: Option<Fact<'a>>, receipt: &Receipt, key: &'a RequestKey) -> Self {
        let Receipt { fact, revision, outcome, replayed, searchable } = *receipt;
        let idempotency_key = key.as_str();
        Self { fact: shown, receipt: Told { outcome, fact, revision, replayed, searchable, idempotency_key } }
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
