//! Short ways to write what the tests are about.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    Actor, Admission, BadInput, Confidence, ConflictId, Draft, Entry, Event, FactId, FactType, Happening,
    Head, Id, Origin, Position, Proposal, Provenance, Retention, ReviewId, RevisionNumber, Saying, Scope,
    Timestamp, Trust, apply,
};

pub(crate) const DAY: i64 = 86_400_000_000;

pub(crate) fn id(text: &str) -> Id {
    Id::parse("id", text).unwrap()
}

pub(crate) fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros)
}

pub(crate) fn number(number: u32) -> RevisionNumber {
    RevisionNumber::new(number).unwrap()
}

pub(crate) fn numbers(from: &[u32]) -> Vec<RevisionNumber> {
    from.iter().copied().map(number).collect()
}

pub(crate) fn fact() -> FactId {
    FactId::new(Uuid::from_u128(1))
}

pub(crate) fn conflict(number: u128) -> ConflictId {
    ConflictId::new(Uuid::from_u128(number))
}

pub(crate) fn review() -> ReviewId {
    ReviewId::new(Uuid::from_u128(3))
}

pub(crate) fn person() -> Actor {
    Actor::User { id: id("ann") }
}

pub(crate) fn agent() -> Actor {
    Actor::Agent { id: id("helper"), version: None }
}

pub(crate) fn saying() -> Saying {
    Saying {
        origin: Origin::Stated,
        confidence: Confidence::FULL,
        trust: Trust::Asserted,
        admission: Admission::Admitted,
        valid_from: None,
        valid_until: None,
        observed_at: None,
        retention: Retention::default(),
        subjects: Vec::new(),
        provenance: Provenance::default(),
        said_by: None,
    }
}

pub(crate) fn valid(from: Option<i64>, until: Option<i64>) -> Saying {
    Saying { valid_from: from.map(at), valid_until: until.map(at), ..saying() }
}

pub(crate) fn created(saying: Saying) -> Happening {
    created_as(true, saying)
}

pub(crate) fn created_as(keyed: bool, saying: Saying) -> Happening {
    Happening::Created {
        kind: FactType::parse("acme.preference").unwrap(),
        scope: Scope::tenant(id("local")),
        keyed,
        held: false,
        saying,
    }
}

pub(crate) fn revised(revision: u32, entry: Entry, saying: Saying) -> Happening {
    Happening::Revised { revision: number(revision), entry, saying }
}

pub(crate) fn erased(revisions: &[u32]) -> Happening {
    Happening::Erased { revisions: numbers(revisions), positions: Vec::new() }
}

/// The event at `position`, recorded at that many microseconds.
pub(crate) fn event(position: i64, actor: Actor, happening: Happening) -> Event {
    Event {
        position: Position::new(position),
        fact: fact(),
        recorded_at: at(position),
        actor,
        request: None,
        happening,
    }
}

/// Folds happenings by a person, recorded at 10, 20, 30 and so on.
pub(crate) fn fold(happenings: Vec<Happening>) -> Head {
    let mut head = None;
    for (position, happening) in (1..).map(|count| count * 10).zip(happenings) {
        head = Some(apply(head.as_ref(), &event(position, person(), happening)).unwrap());
    }
    head.unwrap()
}

/// The JSON of a small draft with `fields` laid over it.
pub(crate) fn draft_json(fields: Value) -> Value {
    let mut draft = json!({"type": "acme.preference", "content": {"text": "tea, not coffee"}});
    let Value::Object(fields) = fields else { panic!("fields are an object") };
    draft.as_object_mut().unwrap().extend(fields);
    draft
}

pub(crate) fn now() -> Timestamp {
    Timestamp::parse("now", "2026-11-01T10:00:00Z").unwrap()
}

/// Reads and checks a draft as a front end does.
pub(crate) fn proposed(draft: Value) -> Result<Proposal, BadInput> {
    Proposal::parse(Draft::from_json(draft, &id("local"))?, &id("local"), now())
}

/// The field that is named in the refusal.
pub(crate) fn refused_field<T: std::fmt::Debug>(result: Result<T, BadInput>) -> String {
    result.unwrap_err().field.into_owned()
}
