//! A fact that lives: each decision about it is recorded and folded, as the ledger does it.

use fact::{
    Actor, Case, Cause, Decision, Draft, Event, Evidence, FactId, Ground, Happening, Head, Id, NewEvent,
    Position, Proposal, Revision, RevisionNumber, SaidAgain, Saying, Timestamp, Truth, apply,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{Fresh, Moment, Policy, Refusal, decide};

pub(crate) const SECOND: i64 = 1_000_000;
pub(crate) const DAY: i64 = 86_400 * SECOND;
/// 2026-11-01T10:00:00Z: when every story begins.
pub(crate) const BEGIN: i64 = 1_793_527_200 * SECOND;
pub(crate) const FACT: &str = "00000000-0000-0000-0000-000000000001";

pub(crate) fn actor(path: &str) -> Actor {
    Actor::parse("actor", path).unwrap()
}

pub(crate) fn tenant() -> Id {
    Id::parse("tenant", "local").unwrap()
}

pub(crate) fn number(number: u32) -> RevisionNumber {
    RevisionNumber::new(number).unwrap()
}

/// The time `micros` after the begin of the story.
pub(crate) fn after(micros: i64) -> Timestamp {
    Timestamp::from_micros(BEGIN + micros)
}

/// A proposal from its JSON, checked as of the begin of the story.
pub(crate) fn proposal(draft: Value) -> Proposal {
    let draft = Draft::from_json(draft, &tenant()).unwrap();
    Proposal::parse(draft, &tenant(), after(0)).unwrap()
}

/// A statement in the slot `drink`, with `fields` laid over it.
pub(crate) fn in_slot(text: &str, fields: Value) -> Value {
    with(json!({"type": "acme.preference", "key": "drink", "content": {"text": text}}), fields)
}

/// A statement without a key.
pub(crate) fn keyless(text: &str, fields: Value) -> Value {
    with(json!({"type": "acme.preference", "content": {"text": text}}), fields)
}

/// A statement aimed at the fact of the story by its id.
pub(crate) fn by_id(text: &str, fields: Value) -> Value {
    with(json!({"fact": FACT, "content": {"text": text}}), fields)
}

pub(crate) fn with(mut draft: Value, fields: Value) -> Value {
    let Value::Object(fields) = fields else { panic!("fields are an object") };
    draft.as_object_mut().unwrap().extend(fields);
    draft
}

/// Evidence of runs by these ids.
pub(crate) fn runs(ids: &[&str]) -> Value {
    ids.iter().map(|id| json!({"kind": "run", "id": id})).collect()
}

/// One fact, from before it exists.
#[derive(Debug, Clone)]
pub(crate) struct Story {
    pub(crate) now: i64,
    pub(crate) head: Option<Head>,
    pub(crate) revisions: Vec<Revision>,
    pub(crate) last: Option<NewEvent>,
    pub(crate) said_again: Vec<SaidAgain>,
}

impl Story {
    pub(crate) fn new() -> Self {
        Self { now: 0, head: None, revisions: Vec::new(), last: None, said_again: Vec::new() }
    }

    /// A story in which that was said.
    pub(crate) fn of(by: &str, draft: Value) -> Self {
        let mut story = Self::new();
        story.say(by, draft).unwrap();
        story
    }

    /// The same story, `micros` later.
    pub(crate) fn later(&self, micros: i64) -> Self {
        let mut story = self.clone();
        story.now += micros;
        story
    }

    pub(crate) fn case(&self) -> Option<Case> {
        let head = self.head.clone()?;
        let named = head.truth.revisions();
        let revisions = self.revisions.iter().filter(|revision| named.contains(&revision.number));
        let (revisions, said_again) = (revisions.cloned().collect(), self.said_again.clone());
        Some(Case { revisions, merged: Vec::new(), said_again, head })
    }

    fn is_forgotten(&self) -> bool {
        let retracted = |head: &Head| matches!(head.truth, Truth::Ended(fact::Ending::Retracted { .. }));
        self.head.as_ref().is_some_and(retracted)
    }

    pub(crate) fn time(&self) -> Timestamp {
        after(self.now)
    }

    pub(crate) fn settled(&self) -> Option<u32> {
        let head = self.head.as_ref()?;
        head.truth.settled(self.time()).map(|number| number.get())
    }

    pub(crate) fn truth(&self) -> &'static str {
        self.head.as_ref().map_or("unknown", |head| head.truth.name())
    }

    pub(crate) fn revision(&self, number: u32) -> &Revision {
        self.revisions.iter().find(|revision| revision.number.get() == number).unwrap()
    }

    /// Decides and records what `by` says.
    pub(crate) fn say(&mut self, by: &str, draft: Value) -> Result<Decision, Refusal> {
        self.propose(by, &proposal(draft))
    }

    pub(crate) fn propose(&mut self, by: &str, proposal: &Proposal) -> Result<Decision, Refusal> {
        let case = self.case();
        self.act(by, |_, moment| decide(case.as_ref(), proposal, &Policy::default(), moment))
    }

    /// Does `rule` to the fact, which exists unless the rule is `decide`, and records what it decides.
    pub(crate) fn act(
        &mut self,
        by: &str,
        rule: impl FnOnce(Option<&Case>, &Moment<'_>) -> Result<Decision, Refusal>,
    ) -> Result<Decision, Refusal> {
        let actor = actor(by);
        let moment = Moment { now: self.time(), actor: &actor, fresh: self.fresh(), sources: None };
        let decision = rule(self.case().as_ref(), &moment)?;
        self.record(&decision, &actor);
        Ok(decision)
    }

    /// The first fresh fact id is the one of the story; the others follow from how much has happened.
    fn fresh(&self) -> Fresh {
        let count = self.head.as_ref().map_or(0, |head| head.version.get());
        let id = |kind: u128| Uuid::from_u128(kind + u128::try_from(count).unwrap());
        Fresh {
            fact: FactId::parse(FACT).unwrap(),
            conflict: fact::ConflictId::new(id(1_000)),
            review: fact::ReviewId::new(id(1_000_000)),
        }
    }

    fn record(&mut self, decision: &Decision, actor: &Actor) {
        if let Some(head) = &self.head {
            let ground = Ground::Head { fact: head.fact, version: head.version };
            assert_eq!(decision.change.grounds, [ground]);
        }
        for event in &decision.change.events {
            self.append(event, actor);
        }
    }

    /// Records one event; one that does not follow is a fault of the rules.
    pub(crate) fn append(&mut self, new: &NewEvent, actor: &Actor) {
        let event = Event {
            position: self.head.as_ref().map_or(Position::START, |head| head.version).next(),
            fact: new.fact,
            recorded_at: self.time(),
            actor: actor.clone(),
            request: None,
            happening: new.happening.clone(),
        };
        self.head = Some(apply(self.head.as_ref(), &event).unwrap());
        self.keep(&event, new);
        if !self.is_forgotten() {
            self.said_again.retain(|said| said.dismissed || said.cause == Cause::MemoryFact);
        }
        self.last = Some(new.clone());
        self.now += 1;
    }

    fn keep(&mut self, event: &Event, new: &NewEvent) {
        match &event.happening {
            Happening::Created { saying, .. }
            | Happening::Revised { saying, .. }
            | Happening::Moved { saying, .. } => {
                self.revisions.push(said_in(event, new, event.happening.revision().unwrap(), saying));
            }
            Happening::EvidenceAdded { revision } => {
                let found = self.revisions.iter_mut().find(|one| one.number == *revision).unwrap();
                found.added_evidence.extend(new.words.evidence.iter().cloned());
            }
            Happening::Erased { revisions, .. } => {
                let gone = self.revisions.iter_mut().filter(|one| revisions.contains(&one.number));
                gone.for_each(|one| one.words = None);
            }
            Happening::HeldBack { saying, .. } | Happening::Proposed { saying, .. } => {
                let (review, cause) = event.happening.held_back().unwrap();
                self.said_again.retain(|said| said.review != review);
                let number = self.head.as_ref().unwrap().next_revision();
                let proposed = said_in(event, new, number, saying);
                self.said_again.push(SaidAgain { review, cause, proposed, dismissed: false });
            }
            Happening::ReviewClosed { review, verdict } => {
                let dismissed = *verdict == fact::Verdict::Dismissed;
                self.said_again.retain(|said| dismissed || said.review != *review);
                let closed = self.said_again.iter_mut().filter(|said| said.review == *review);
                closed.for_each(|said| said.dismissed = true);
            }
            Happening::Retracted
            | Happening::Settled { .. }
            | Happening::Reopened { .. }
            | Happening::Expired
            | Happening::Merged { .. }
            | Happening::Absorbed(_)
            | Happening::Split { .. }
            | Happening::Released { .. }
            | Happening::Admitted { .. }
            | Happening::Quarantined { .. }
            | Happening::HoldPlaced
            | Happening::HoldLifted => {}
        }
    }

    /// Erases the words of these revisions.
    pub(crate) fn erase(&mut self, revisions: &[u32]) {
        let erased = NewEvent {
            fact: FactId::parse(FACT).unwrap(),
            happening: Happening::Erased {
                revisions: revisions.iter().copied().map(number).collect(),
                positions: Vec::new(),
            },
            words: fact::Words::default(),
        };
        self.append(&erased, &actor("operator:root"));
    }
}

fn said_in(event: &Event, new: &NewEvent, number: RevisionNumber, saying: &Saying) -> Revision {
    Revision {
        number,
        position: event.position,
        recorded_at: event.recorded_at,
        actor: event.actor.clone(),
        saying: saying.clone(),
        words: Some(new.words.clone()),
        added_evidence: Vec::new(),
        merged_evidence: Vec::new(),
        merged: Vec::new(),
        admissions: Vec::new(),
    }
}

/// The outcome and the revision, or the refusal, in a few words.
pub(crate) fn told(result: &Result<Decision, Refusal>) -> String {
    match result {
        Ok(decision) => {
            let outcome = serde_json::to_value(decision.outcome).unwrap();
            format!("{} {}", outcome["outcome"].as_str().unwrap(), decision.revision)
        }
        Err(Refusal::Changed { current }) => {
            let current = current.map_or("none".to_owned(), |current| current.to_string());
            format!("changed, current {current}")
        }
        Err(refusal) => refusal.to_string(),
    }
}

/// What `by` is told in a copy of `story` for saying `draft`.
pub(crate) fn answer(story: &Story, by: &str, draft: Value) -> String {
    told(&story.clone().say(by, draft))
}

pub(crate) fn evidence_ids(revision: &Revision) -> Vec<&str> {
    revision.evidence().map(|evidence: &Evidence| evidence.id.as_str()).collect()
}
