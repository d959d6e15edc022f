//! Shapes of words that other crates read and write, as the description says them. None of them is made: the crate `fact`
//! is what reads and writes.

#![expect(dead_code, reason = "they are described and never made")]

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// Whose a fact is: the tenant, narrowed by any of the others. A participant needs its project.
#[derive(ToSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Scope {
    /// The key's tenant, where it is not said.
    #[schema(min_length = 1, max_length = 128)]
    tenant_id: Option<String>,
    #[schema(min_length = 1, max_length = 128)]
    org_id: Option<String>,
    #[schema(min_length = 1, max_length = 128)]
    project_id: Option<String>,
    #[schema(min_length = 1, max_length = 128)]
    user_id: Option<String>,
    /// An end user of an application.
    #[schema(min_length = 1, max_length = 128)]
    participant_id: Option<String>,
    /// A conversation.
    #[schema(min_length = 1, max_length = 128)]
    thread_id: Option<String>,
    #[schema(min_length = 1, max_length = 128)]
    session_id: Option<String>,
}

/// Who acts or said it.
#[derive(ToSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Actor {
    kind: ActorKind,
    id: String,
    agent_version: Option<String>,
}

#[derive(ToSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ActorKind {
    User,
    Agent,
    Operator,
    Migration,
    Service,
}

/// Where a revision is in its life.
#[derive(ToSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    Active,
    Superseded,
    Retracted,
    Expired,
    Conflicted,
}

/// How far a revision is trusted.
#[derive(ToSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Trust {
    Asserted,
    Unverified,
    Verified,
}

/// Whether a revision may be recalled.
#[derive(ToSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Admission {
    Admitted,
    Quarantined,
}

/// What a revision rests on.
#[derive(ToSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Evidence {
    kind: EvidenceKind,
    id: String,
    /// 64 hexadecimal digits.
    #[schema(pattern = "^[0-9a-fA-F]{64}$")]
    digest: Option<String>,
    quote: Option<String>,
}

#[derive(ToSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum EvidenceKind {
    Message,
    Run,
    Operator,
    Legacy,
}

/// Whom or what a fact is about, such as `participant`.
#[derive(ToSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Subject {
    kind: String,
    id: String,
}

/// Where a statement comes from, as ids.
#[derive(ToSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GeneratedBy {
    run_id: Option<String>,
    step_id: Option<String>,
    tool_call_id: Option<String>,
    message_id: Option<String>,
    channel: Option<String>,
    /// Who spoke, where a message has several speakers.
    speaker: Option<String>,
    /// The conversation it was said in, where the fact is not kept for it.
    thread_id: Option<String>,
}

/// How long a fact is kept.
#[derive(ToSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Retention {
    /// Days from the first write on.
    #[schema(minimum = 1, maximum = 3_650)]
    keep_days: Option<u32>,
    #[schema(format = DateTime)]
    keep_until: Option<String>,
    legal_hold: Option<bool>,
}

/// A statement. Who makes it comes from the key.
#[derive(ToSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Statement {
    /// The application's name for a kind of fact, such as `acme.preference`.
    #[serde(rename = "type")]
    kind: Option<String>,
    scope: Option<Scope>,
    /// A slot: what is said by the same key supersedes what was said before.
    key: Option<String>,
    /// Any JSON; `{"text": …}` for plain words.
    content: Value,
    tags: Option<Vec<String>>,
    #[schema(minimum = 0, maximum = 1)]
    confidence: Option<f64>,
    trust: Option<Claimed>,
    evidence: Option<Vec<Evidence>>,
    retention: Option<Retention>,
    /// At most 20.
    subjects: Option<Vec<Subject>>,
    /// A time (RFC 3339). What is said here as a time may be null.
    valid_from: Option<String>,
    valid_until: Option<String>,
    observed_at: Option<String>,
    reason: Option<String>,
    generated_by: Option<GeneratedBy>,
}

/// The next revision of a fact.
#[derive(ToSchema, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Change {
    /// Any JSON, null too.
    content: Value,
    /// The version that must be the current one.
    #[schema(minimum = 1, maximum = 4_294_967_295_u32)]
    expect_version: Option<u64>,
    tags: Option<Vec<String>>,
    #[schema(minimum = 0, maximum = 1)]
    confidence: Option<f64>,
    trust: Option<Claimed>,
    evidence: Option<Vec<Evidence>>,
    retention: Option<Retention>,
    subjects: Option<Vec<Subject>>,
    valid_from: Option<String>,
    valid_until: Option<String>,
    observed_at: Option<String>,
    reason: Option<String>,
    generated_by: Option<GeneratedBy>,
}

/// The trust that an author may claim: a person's word alone makes a fact verified.
#[derive(ToSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Claimed {
    Asserted,
    Unverified,
}

/// What a change came to.
#[derive(ToSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Outcome {
    /// In a word, such as `created`, `superseded`, `unchanged`, `conflict-opened`, `held-back`.
    outcome: String,
    /// The conflict that it is about.
    #[schema(format = Uuid)]
    conflict: Option<String>,
    /// What waits for its owner.
    #[schema(format = Uuid)]
    review: Option<String>,
    quarantined: Option<bool>,
    /// The fact that another side became, where both are true.
    #[schema(format = Uuid)]
    apart: Option<String>,
    /// How many were merged.
    facts: Option<u32>,
    /// The fact that it was split from.
    #[schema(format = Uuid)]
    from: Option<String>,
}

/// How an install stands.
#[derive(ToSchema, Serialize)]
pub(crate) struct Status {
    /// Whether somebody has to do something.
    gaps: bool,
    areas: Vec<Area>,
}

/// How one part stands.
#[derive(ToSchema, Serialize)]
pub(crate) struct Area {
    area: String,
    state: String,
    detail: String,
    findings: Vec<Finding>,
}

/// What was found, in words and as a name with its numbers, and the command that mends it.
#[derive(ToSchema, Serialize)]
pub(crate) struct Finding {
    text: String,
    mend: Option<String>,
}
