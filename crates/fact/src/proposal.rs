//! A statement as it comes in, and the same within its limits.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::said::check_count;
use crate::{
    BadInput, Confidence, Content, Evidence, FactId, FactType, Id, Provenance, Retention, RevisionNumber,
    Scope, Subject, Text, Timestamp, Trust, limits,
};

/// What a person, an agent or a note says. Who says it comes from the caller, never from here.
/// `Debug` shows what it is aimed at, never what it says.
#[derive(Clone, PartialEq, Default)]
pub struct Draft {
    /// The fact to change; none for a new one, or for the slot of a key.
    pub fact: Option<FactId>,
    /// The revision that must be the settled one; refused as changed otherwise.
    pub expect_version: Option<u32>,
    /// The kind of fact; kept when a fact is changed.
    pub kind: Option<String>,
    /// Whose it is; the whole tenant when not given; kept when a fact is changed.
    pub scope: Option<Scope>,
    /// The slot.
    pub key: Option<String>,
    /// What it says.
    pub content: Option<Value>,
    /// Tags; kept from the revision before when not given.
    pub tags: Option<Vec<String>>,
    /// How sure the author is; certain when not given.
    pub confidence: Option<Confidence>,
    /// `asserted` or `unverified`; only a person's verification makes it more.
    pub trust: Option<Trust>,
    /// What it rests on.
    pub evidence: Vec<Evidence>,
    /// How long it is kept.
    pub retention: Option<Retention>,
    /// Placed under legal hold from the start.
    pub legal_hold: bool,
    /// Whom or what it is about.
    pub subjects: Option<Vec<Subject>>,
    /// From when it is true.
    pub valid_from: Option<Timestamp>,
    /// Until when it is true.
    pub valid_until: Option<Timestamp>,
    /// When it was seen to be true.
    pub observed_at: Option<Timestamp>,
    /// Why it is said.
    pub reason: Option<String>,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// A statement within its limits: valid by construction.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// What it is aimed at.
    pub target: Target,
    /// The revision that must be the settled one.
    pub expected: Option<RevisionNumber>,
    /// The slot.
    pub key: Option<Text>,
    /// What it says.
    pub content: Content,
    /// Tags, where they were given.
    pub tags: Option<Vec<Text>>,
    /// How sure its author is.
    pub confidence: Confidence,
    /// How far it is to be trusted, where that was given.
    pub trust: Option<Trust>,
    /// What it rests on.
    pub evidence: Vec<Evidence>,
    /// How long it is kept, where that was given.
    pub retention: Option<Retention>,
    /// Placed under legal hold from the start.
    pub legal_hold: bool,
    /// Whom or what it is about, where that was given.
    pub subjects: Option<Vec<Subject>>,
    /// From when it is true.
    pub valid_from: Option<Timestamp>,
    /// Until when it is true.
    pub valid_until: Option<Timestamp>,
    /// When it was seen to be true.
    pub observed_at: Option<Timestamp>,
    /// Why it is said.
    pub reason: Option<Text>,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// What a proposal is aimed at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// That fact.
    Fact(FactId),
    /// The slot of its key, or the same statement, or a new fact there.
    Place {
        /// The kind of fact.
        kind: FactType,
        /// Whose it is.
        scope: Scope,
    },
}

impl Proposal {
    /// Checks every limit of a draft said in `tenant` at `now`.
    pub fn parse(draft: Draft, tenant: &Id, now: Timestamp) -> Result<Self, BadInput> {
        let expected = draft.expect_version.map(expect_version).transpose()?;
        check_times(&draft, now)?;
        check_trust(draft.trust)?;
        check_retention(draft.retention.as_ref(), now)?;
        check_subjects(draft.subjects.as_deref().unwrap_or_default())?;
        check_count("evidence", draft.evidence.len(), limits::EVIDENCE_MAX)?;
        draft.evidence.iter().try_for_each(Evidence::check)?;
        draft.provenance.check()?;
        let key = draft
            .key
            .as_deref()
            .map(|key| Text::parse_name("key", key, limits::KEY_CHARS_MAX))
            .transpose()?;
        let content = draft.content.clone().ok_or_else(|| BadInput::new("content", "is missing"))?;
        Ok(Self {
            target: target(&draft, tenant)?,
            expected,
            key,
            content: Content::parse(content)?,
            tags: draft.tags.map(|tags| parse_tags(&tags)).transpose()?,
            confidence: draft.confidence.unwrap_or(Confidence::FULL),
            trust: draft.trust,
            evidence: draft.evidence,
            retention: draft.retention,
            legal_hold: draft.legal_hold,
            subjects: draft.subjects,
            valid_from: draft.valid_from,
            valid_until: draft.valid_until,
            observed_at: draft.observed_at,
            reason: draft
                .reason
                .as_deref()
                .map(|reason| Text::parse("reason", reason, limits::REASON_CHARS_MAX))
                .transpose()?,
            provenance: draft.provenance,
        })
    }
}

fn target(draft: &Draft, tenant: &Id) -> Result<Target, BadInput> {
    let scope = draft.scope.clone().unwrap_or_else(|| Scope::tenant(tenant.clone())).check()?;
    if scope.tenant != *tenant {
        return Err(BadInput::new("scope.tenantId", "is not the caller's tenant"));
    }
    let Some(fact) = draft.fact else {
        let kind = draft.kind.as_deref().ok_or_else(|| BadInput::new("type", "is missing"))?;
        return Ok(Target::Place { kind: FactType::parse(kind)?, scope });
    };
    for (field, given) in
        [("type", draft.kind.is_some()), ("scope", draft.scope.is_some()), ("key", draft.key.is_some())]
    {
        if given {
            return Err(BadInput::new(field, "is kept when a fact is changed; leave it out"));
        }
    }
    Ok(Target::Fact(fact))
}

fn expect_version(version: u32) -> Result<RevisionNumber, BadInput> {
    RevisionNumber::new(version)
        .ok_or_else(|| BadInput::new("expectVersion", "must be a whole number from 1"))
}

fn check_times(draft: &Draft, now: Timestamp) -> Result<(), BadInput> {
    let Some(until) = draft.valid_until else {
        return Ok(());
    };
    match draft.valid_from {
        Some(from) if from >= until => Err(BadInput::new("validUntil", "must be later than validFrom")),
        None if until <= now => {
            Err(BadInput::new("validUntil", "must be later than now, or come with a validFrom"))
        }
        Some(_) | None => Ok(()),
    }
}

fn check_trust(trust: Option<Trust>) -> Result<(), BadInput> {
    match trust {
        Some(Trust::Verified) => {
            Err(BadInput::new("trust", "may be asserted or unverified; verify the fact instead"))
        }
        Some(Trust::Asserted | Trust::Unverified) | None => Ok(()),
    }
}

fn check_retention(retention: Option<&Retention>, now: Timestamp) -> Result<(), BadInput> {
    let Some(retention) = retention else { return Ok(()) };
    let range = limits::KEEP_DAYS_MIN..=limits::KEEP_DAYS_MAX;
    if retention.keep_days.is_some_and(|days| !range.contains(&days)) {
        let (least, most) = (limits::KEEP_DAYS_MIN, limits::KEEP_DAYS_MAX);
        return Err(BadInput::new("retention.keepDays", format!("must be from {least} to {most}")));
    }
    if retention.keep_until.is_some_and(|until| until <= now) {
        return Err(BadInput::new("retention.keepUntil", "must be later than now"));
    }
    Ok(())
}

fn check_subjects(subjects: &[Subject]) -> Result<(), BadInput> {
    check_count("subjects", subjects.len(), limits::SUBJECTS_MAX)?;
    subjects.iter().try_for_each(|subject| {
        Id::parse("subjects.kind", subject.kind.as_str())?;
        Id::parse("subjects.id", subject.id.as_str())?;
        Ok(())
    })
}

fn parse_tags(tags: &[String]) -> Result<Vec<Text>, BadInput> {
    check_count("tags", tags.len(), limits::TAGS_MAX)?;
    let mut seen = BTreeSet::new();
    let mut parsed = Vec::new();
    for tag in tags {
        let tag = Text::parse_name("tags", tag, limits::TAG_CHARS_MAX)?;
        if seen.insert(tag.clone()) {
            parsed.push(tag);
        }
    }
    Ok(parsed)
}

impl fmt::Debug for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Draft")
            .field("fact", &self.fact)
            .field("expect_version", &self.expect_version)
            .field("scope", &self.scope)
            .finish_non_exhaustive()
    }
}

impl Draft {
    /// Reads the JSON form; unknown fields are refused, and no error repeats a value.
    pub fn from_json(value: Value, tenant: &Id) -> Result<Self, BadInput> {
        let Value::Object(mut map) = value else {
            return Err(BadInput::new("draft", "must be a JSON object"));
        };
        let content = map.remove("content");
        let (retention, legal_hold) = read_retention(&mut map)?;
        let draft = Self {
            fact: member::<String>(&mut map, "fact", "a fact id")?
                .map(|id| FactId::parse(&id))
                .transpose()?,
            expect_version: member(&mut map, "expectVersion", "a whole number from 1")?,
            kind: member(&mut map, "type", "a string")?,
            scope: read_scope(&mut map, tenant)?,
            key: member(&mut map, "key", "a string")?,
            content,
            tags: member(&mut map, "tags", "a list of strings")?,
            confidence: member::<serde_json::Number>(&mut map, "confidence", "a number from 0 to 1")?
                .map(|number| Confidence::parse(&number.to_string()))
                .transpose()?,
            trust: member(&mut map, "trust", "asserted or unverified")?,
            evidence: member(
                &mut map,
                "evidence",
                "a list of {kind: message, run, operator or legacy; id; digest; quote}",
            )?
            .unwrap_or_default(),
            retention,
            legal_hold,
            subjects: member(&mut map, "subjects", "a list of {kind, id}")?,
            valid_from: time(&mut map, "validFrom")?,
            valid_until: time(&mut map, "validUntil")?,
            observed_at: time(&mut map, "observedAt")?,
            reason: member(&mut map, "reason", "a string")?,
            provenance: member(&mut map, "generatedBy", "an object of ids")?.unwrap_or_default(),
        };
        match map.keys().next() {
            Some(unknown) => Err(unknown_field("draft", unknown)),
            None => Ok(draft),
        }
    }

    /// The JSON form, which `from_json` reads back as the same draft.
    pub fn to_json(&self) -> Value {
        let mut map = Map::new();
        let mut put = |field: &str, value: Option<Value>| {
            if let Some(value) = value {
                map.insert(field.to_owned(), value);
            }
        };
        put("fact", self.fact.map(|fact| json!(fact)));
        put("expectVersion", self.expect_version.map(|version| json!(version)));
        put("type", self.kind.as_ref().map(|kind| json!(kind)));
        put("scope", self.scope.as_ref().map(|scope| json!(scope)));
        put("key", self.key.as_ref().map(|key| json!(key)));
        put("content", self.content.clone());
        put("tags", self.tags.as_ref().map(|tags| json!(tags)));
        put(
            "confidence",
            self.confidence.map(|c| Value::Number(c.to_string().parse().expect("a decimal is a number"))),
        );
        put("trust", self.trust.map(|trust| json!(trust)));
        put("evidence", (!self.evidence.is_empty()).then(|| json!(self.evidence)));
        put("retention", self.retention_json());
        put("subjects", self.subjects.as_ref().map(|subjects| json!(subjects)));
        put("validFrom", self.valid_from.map(|at| json!(at.exact())));
        put("validUntil", self.valid_until.map(|at| json!(at.exact())));
        put("observedAt", self.observed_at.map(|at| json!(at.exact())));
        put("reason", self.reason.as_ref().map(|reason| json!(reason)));
        put("generatedBy", (self.provenance != Provenance::default()).then(|| json!(self.provenance)));
        Value::Object(map)
    }

    fn retention_json(&self) -> Option<Value> {
        let mut map = Map::new();
        let retention = self.retention.as_ref();
        if let Some(days) = retention.and_then(|retention| retention.keep_days) {
            map.insert("keepDays".to_owned(), json!(days));
        }
        if let Some(until) = retention.and_then(|retention| retention.keep_until) {
            map.insert("keepUntil".to_owned(), json!(until.exact()));
        }
        if self.legal_hold {
            map.insert("legalHold".to_owned(), json!(true));
        }
        (!map.is_empty()).then_some(Value::Object(map))
    }
}

/// Takes a field out of `map`; JSON `null` is the same as leaving it out.
fn member<T: DeserializeOwned>(
    map: &mut Map<String, Value>,
    field: &'static str,
    wanted: &'static str,
) -> Result<Option<T>, BadInput> {
    match map.remove(field) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => {
            serde_json::from_value(value).map(Some).map_err(|error| bad_member(field, wanted, &error))
        }
    }
}

/// Names unknown and missing fields; a wrong value is never repeated.
fn bad_member(field: &'static str, wanted: &str, error: &serde_json::Error) -> BadInput {
    let text = error.to_string();
    let fault = text.split(", expected").next().unwrap_or_default();
    if fault.starts_with("unknown field") || fault.starts_with("missing field") {
        return BadInput::new(field, shown(fault));
    }
    BadInput::new(field, format!("must be {wanted}"))
}

/// A field's name as a caller wrote it, cut and without control characters.
fn shown(name: &str) -> String {
    name.chars().take(limits::ID_CHARS_MAX).filter(|c| !c.is_control()).collect()
}

fn unknown_field(field: &'static str, unknown: &str) -> BadInput {
    BadInput::new(field, format!("unknown field `{}`", shown(unknown)))
}

fn time(map: &mut Map<String, Value>, field: &'static str) -> Result<Option<Timestamp>, BadInput> {
    member::<String>(map, field, "a time with its zone, such as 2026-11-01T10:00:00Z")?
        .map(|text| Timestamp::parse(field, &text))
        .transpose()
}

fn read_scope(map: &mut Map<String, Value>, tenant: &Id) -> Result<Option<Scope>, BadInput> {
    let Some(mut scope) = member::<Map<String, Value>>(map, "scope", "an object")? else {
        return Ok(None);
    };
    scope.entry("tenantId").or_insert_with(|| json!(tenant));
    if let Some((name, _)) =
        scope.iter().find(|(name, id)| name.ends_with("Id") && !id.is_string() && !id.is_null())
    {
        return Err(BadInput::new(format!("scope.{}", shown(name)), "must be text"));
    }
    let scope: Scope = serde_json::from_value(Value::Object(scope))
        .map_err(|error| bad_member("scope", "an object of ids", &error))?;
    let named = [
        ("scope.tenantId", Some(&scope.tenant)),
        ("scope.orgId", scope.org.as_ref()),
        ("scope.projectId", scope.project.as_ref()),
        ("scope.userId", scope.user.as_ref()),
        ("scope.participantId", scope.participant.as_ref()),
        ("scope.threadId", scope.thread.as_ref()),
        ("scope.sessionId", scope.session.as_ref()),
    ];
    for (field, id) in named {
        if let Some(id) = id {
            Id::parse(field, id.as_str())?;
        }
    }
    Ok(Some(scope))
}

fn read_retention(map: &mut Map<String, Value>) -> Result<(Option<Retention>, bool), BadInput> {
    let Some(mut retention) = member::<Map<String, Value>>(map, "retention", "an object")? else {
        return Ok((None, false));
    };
    let within = |bad: BadInput| BadInput::new(format!("retention.{}", bad.field), bad.problem);
    let keep_days = member(&mut retention, "keepDays", "a whole number of days").map_err(within)?;
    let keep_until = time(&mut retention, "keepUntil").map_err(within)?;
    let held = member(&mut retention, "legalHold", "true or false").map_err(within)?;
    match retention.keys().next() {
        Some(unknown) => Err(unknown_field("retention", unknown)),
        None => {
            let kept = Retention { keep_days, keep_until, unless_verified: false };
            Ok(((kept != Retention::default()).then_some(kept), held.unwrap_or(false)))
        }
    }
}
