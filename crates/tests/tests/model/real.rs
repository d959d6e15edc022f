//! The real memory beside the model: commands as calls, ids beside the model's numbers, answers compared.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use reconcile::Refusal;
use serde_json::json;
use truthkeeper::{
    Access, Actor, Caller, Clock, Confidence, ConflictId, Draft, Evidence, EvidenceKind, FactId, Id, Memory,
    MemoryError, Outcome as RealOutcome, Provenance, Reach, Reader, Receipt, RequestKey, ReviewId,
    RevisionNumber, Ruling as RealRuling, Scope, Sight, Timestamp, Writer,
};

use super::commands::{Act, Aim, Command, Ruling, Said, Who};
use super::facts::{Micros, Text};
use super::world::{Answer, Done, Outcome, Why, World};

pub(super) const KIND: &str = "acme.preference";
pub(super) const WORDS: [&str; 3] = ["apricot", "bergamot", "cinnamon"];

pub(super) struct Real {
    pub(super) memory: Memory,
    pub(super) tenant: Id,
    pub(super) facts: Vec<FactId>,
    pub(super) conflicts: Vec<ConflictId>,
    pub(super) reviews: Vec<ReviewId>,
    address: String,
    clock: Arc<AtomicI64>,
}

impl Real {
    pub(super) async fn open(address: &str, tenant: &str, now: Micros) -> Self {
        let clock = Arc::new(AtomicI64::new(now));
        Self {
            memory: open(address, &clock).await,
            tenant: Id::parse("tenant", tenant).unwrap(),
            facts: Vec::new(),
            conflicts: Vec::new(),
            reviews: Vec::new(),
            address: address.to_owned(),
            clock,
        }
    }

    pub(super) async fn follow(&mut self, world: &World, command: &Command) {
        self.clock.store(world.clock, Ordering::SeqCst);
        match command {
            Command::Clock(_) => {}
            Command::Sweep => {
                let swept = self.memory.sweep(&self.tenant).await.unwrap();
                assert_eq!(Answer::Swept(swept), world.answer);
            }
            Command::Reopen => self.memory = open(&self.address, &self.clock).await,
            Command::Erase { who, fact, revision } => self.erase(world, *who, *fact, *revision).await,
            Command::Do { who, key, act } => {
                let key = key.map(|key| RequestKey::parse(&format!("request {key}")).unwrap());
                let answer = self.ask(*who, key, act).await;
                self.compare(world, command, answer);
            }
        }
    }

    async fn ask(&self, who: Who, key: Option<RequestKey>, act: &Act) -> Result<Receipt, MemoryError> {
        let caller = self.caller(who);
        let number = |number: Option<u32>| number.and_then(RevisionNumber::new);
        match act {
            Act::Say(said) => self.memory.remember(&caller, key, self.draft(said)).await,
            Act::Verify { fact, expect } => {
                self.memory.verify(&caller, key, self.fact(*fact), number(*expect)).await
            }
            Act::Forget { fact, expect, why } => {
                let reason = why.then_some("no longer so");
                self.memory.forget(&caller, key, self.fact(*fact), number(*expect), reason).await
            }
            Act::Restore { fact, revision } => {
                self.memory.restore(&caller, key, self.fact(*fact), number(*revision)).await
            }
            Act::Hold { fact, on } => self.memory.hold(&caller, key, self.fact(*fact), *on).await,
            Act::Admit { fact } => self.memory.admit(&caller, key, self.fact(*fact)).await,
            Act::Quarantine { fact } => self.memory.quarantine(&caller, key, self.fact(*fact)).await,
            Act::Settle { conflict, version, ruling, note } => {
                let (seen, note) = ((self.conflict(*conflict), *version), note.then_some("asked her"));
                self.memory.settle(&caller, key, seen, self.ruling(ruling), note).await
            }
            Act::Reopen { conflict } => self.memory.reopen(&caller, key, self.conflict(*conflict)).await,
            Act::Accept { review } => self.memory.accept(&caller, key, self.review(*review)).await,
            Act::Dismiss { review } => self.memory.dismiss(&caller, key, self.review(*review)).await,
            Act::Move { fact, expect, to_ann } => {
                let to = Scope { user: to_ann.then(|| id("ann")), ..Scope::tenant(self.tenant.clone()) };
                self.memory.move_fact(&caller, key, (self.fact(*fact), number(*expect)), &to).await
            }
            Act::Merge { into, others } => {
                let others: Vec<_> =
                    others.iter().map(|(other, expect)| (self.fact(*other), number(*expect))).collect();
                self.memory.merge(&caller, key, (self.fact(*into), None), &others).await
            }
            Act::Split { fact, from } => {
                let from = from.map(|from| self.fact(from));
                self.memory.split(&caller, key, self.fact(*fact), from).await
            }
        }
    }

    async fn erase(&self, world: &World, who: Who, fact: usize, revision: Option<u32>) {
        let revision = revision.and_then(RevisionNumber::new);
        let erased = self.memory.erase(&self.caller(who), None, self.fact(fact), revision).await;
        let answer = match erased {
            Ok(erased) => Answer::Erased(erased.revisions.iter().map(|number| number.get()).collect()),
            Err(error) => Answer::Refused(why(&error)),
        };
        assert_eq!(answer, world.answer);
    }

    /// Learns the real ids of what is new.
    fn compare(&mut self, world: &World, command: &Command, answer: Result<Receipt, MemoryError>) {
        let receipt = match (answer, &world.answer) {
            (Ok(receipt), Answer::Done { .. }) => receipt,
            (Err(error), Answer::Refused(expected)) => {
                assert_eq!(why(&error), *expected, "{command:?}: {error}");
                return;
            }
            (answer, expected) => panic!("{command:?} came to {answer:?}, the model to {expected:?}"),
        };
        let Answer::Done { done, replayed } = &world.answer else { unreachable!("matched above") };
        if done.fact == self.facts.len() {
            self.facts.push(receipt.fact);
        }
        self.learn(receipt.outcome);
        let came = Done {
            fact: self.facts.iter().position(|fact| *fact == receipt.fact).unwrap_or(usize::MAX),
            revision: receipt.revision.get(),
            outcome: self.outcome(receipt.outcome),
        };
        assert_eq!((came, receipt.replayed), (*done, *replayed), "{command:?}");
        assert!(receipt.searchable, "{command:?}");
    }

    fn learn(&mut self, outcome: RealOutcome) {
        if let RealOutcome::ConflictOpened { conflict } = outcome {
            keep_new(&mut self.conflicts, conflict);
        } else if let RealOutcome::HeldBack { review } = outcome {
            keep_new(&mut self.reviews, review);
        } else if let RealOutcome::Settled { apart: Some(fact), .. } = outcome {
            keep_new(&mut self.facts, fact);
        }
    }

    fn outcome(&self, outcome: RealOutcome) -> Outcome {
        let review = |id| self.reviews.iter().position(|one| *one == id).unwrap_or(usize::MAX);
        let fact = |id| self.facts.iter().position(|one| *one == id).unwrap_or(usize::MAX);
        let conflict = |id| self.conflicts.iter().position(|one| *one == id).unwrap_or(usize::MAX);
        match outcome {
            RealOutcome::Created => Outcome::Created,
            RealOutcome::Superseded => Outcome::Superseded,
            RealOutcome::Unchanged => Outcome::Unchanged,
            RealOutcome::EvidenceAdded => Outcome::EvidenceAdded,
            RealOutcome::History => Outcome::History,
            RealOutcome::ConflictOpened { conflict: id } => Outcome::Opened(conflict(id)),
            RealOutcome::ConflictJoined { conflict: id } => Outcome::Joined(conflict(id)),
            RealOutcome::HeldBack { review: id } => Outcome::HeldBack(review(id)),
            RealOutcome::Dismissed { review: id } => Outcome::Dismissed(review(id)),
            RealOutcome::Accepted { review: id } => Outcome::Accepted(review(id)),
            RealOutcome::Settled { conflict: id, quarantined, apart } => {
                Outcome::Settled { conflict: conflict(id), quarantined, apart: apart.map(fact) }
            }
            RealOutcome::Reopened { conflict: id } => Outcome::Reopened(conflict(id)),
            RealOutcome::Verified => Outcome::Verified,
            RealOutcome::Retracted => Outcome::Retracted,
            RealOutcome::Restored => Outcome::Restored,
            RealOutcome::Admitted => Outcome::Admitted,
            RealOutcome::Quarantined => Outcome::Quarantined,
            RealOutcome::Expired => panic!("nobody asked for it"),
            RealOutcome::Moved => Outcome::Moved,
            RealOutcome::Merged { facts } => Outcome::Merged(facts),
            RealOutcome::Split { from } => Outcome::Split(fact(from)),
            RealOutcome::HoldPlaced => Outcome::HoldPlaced,
            RealOutcome::HoldLifted => Outcome::HoldLifted,
        }
    }

    /// A fact that the model does not have is one that nobody has.
    fn fact(&self, number: usize) -> FactId {
        let nobodys = || FactId::parse("00000000-0000-7000-8000-000000000000").unwrap();
        self.facts.get(number).copied().unwrap_or_else(nobodys)
    }

    fn conflict(&self, number: usize) -> ConflictId {
        let nobodys = || ConflictId::parse("00000000-0000-7000-8000-000000000000").unwrap();
        self.conflicts.get(number).copied().unwrap_or_else(nobodys)
    }

    fn review(&self, number: usize) -> ReviewId {
        let nobodys = || ReviewId::parse("00000000-0000-7000-8000-000000000000").unwrap();
        self.reviews.get(number).copied().unwrap_or_else(nobodys)
    }

    fn ruling(&self, ruling: &Ruling) -> RealRuling {
        let side = |number| RevisionNumber::new(number).unwrap();
        match ruling {
            Ruling::Keep(number) => RealRuling::Keep(side(*number)),
            Ruling::Reword(said) => RealRuling::Reword(Box::new(self.draft(said))),
            Ruling::Both { keep, apart } => RealRuling::Both { keep: side(*keep), apart: side(*apart) },
        }
    }

    /// Reads and writes everything in the tenant, without the audit of an operator's reads.
    pub(super) fn caller(&self, who: Who) -> Caller {
        Caller {
            reader: Reader { tenant: self.tenant.clone(), sight: Sight::Admin },
            writer: Writer { tenant: self.tenant.clone(), reach: Reach::Admin },
            actor: actor(who),
        }
    }

    /// Someone who may read what is for the whole tenant, and nothing of Ann's.
    pub(super) fn stranger(&self) -> Caller {
        let mut caller = self.caller(Who::Ann);
        caller.reader.sight = Sight::Within(Access { users: [id("ben")].into(), ..Access::default() });
        caller
    }

    fn draft(&self, said: &Said) -> Draft {
        let (fact, place) = match said.aim {
            Aim::Fact(fact) => (Some(self.fact(fact)), None),
            Aim::Place(place) => (None, Some(place)),
        };
        let evidence = said.evidence.map(|number| Evidence {
            kind: EvidenceKind::Message,
            id: id(&format!("message-{number}")),
            digest: None,
            quote: None,
        });
        let anns = |place: super::commands::Place| Scope {
            user: place.is_anns.then(|| id("ann")),
            ..Scope::tenant(self.tenant.clone())
        };
        Draft {
            fact,
            expect_version: said.expect,
            kind: place.map(|_| KIND.to_owned()),
            scope: place.map(anns),
            key: place.and_then(|place| place.key).map(|key| format!("key {key}")),
            content: Some(json!({ "text": words(said.text) })),
            tags: said.tags.as_ref().map(|tags| tags.iter().map(|tag| format!("tag {tag}")).collect()),
            confidence: Some(Confidence::parse(&format!("{}e-6", said.millionths)).unwrap()),
            trust: said.trust,
            evidence: evidence.into_iter().collect(),
            legal_hold: said.hold,
            valid_from: said.from.map(Timestamp::from_micros),
            valid_until: said.until.map(Timestamp::from_micros),
            observed_at: said.seen.map(Timestamp::from_micros),
            provenance: Provenance { tool_call: said.by_tool.then(|| id("call")), ..Provenance::default() },
            ..Draft::default()
        }
    }
}

fn keep_new<T: PartialEq>(known: &mut Vec<T>, id: T) {
    if !known.contains(&id) {
        known.push(id);
    }
}

async fn open(address: &str, clock: &Arc<AtomicI64>) -> Memory {
    let clock = Arc::clone(clock);
    let clock = Clock::of(move || Timestamp::from_micros(clock.load(Ordering::SeqCst)));
    Memory::open_with(address, clock).await.unwrap()
}

pub(super) fn words(text: Text) -> String {
    let gap = if text.wide { "  \n" } else { " " };
    format!("she{gap}likes {}", WORDS[usize::from(text.word)])
}

fn id(text: &str) -> Id {
    Id::parse("id", text).unwrap()
}

pub(super) fn actor(who: Who) -> Actor {
    let agent = |name: &str| Actor::Agent { id: id(name), version: None };
    match who {
        Who::Ann => Actor::User { id: id("ann") },
        Who::Operator => Actor::Operator { id: id("olga") },
        Who::Helper => agent("helper"),
        Who::Scout => agent("scout"),
        Who::Import => Actor::Migration { id: id("import") },
        Who::Feed => Actor::Service { id: id("feed") },
    }
}

fn why(error: &MemoryError) -> Why {
    match error {
        MemoryError::BadInput(_) => Why::BadInput,
        MemoryError::NotFound => Why::NotFound,
        MemoryError::KeyReused => Why::KeyReused,
        MemoryError::Erase(erase) => match erase.to_string().as_str() {
            "there is nothing to erase" => Why::NothingToErase,
            "the fact is under legal hold" => Why::LegalHold,
            other => panic!("{other}"),
        },
        MemoryError::Refused(refusal) => match refusal {
            Refusal::Changed { .. } => Why::Changed,
            Refusal::LegalHold => Why::LegalHold,
            Refusal::NotPermitted { .. } => Why::NotPermitted,
            Refusal::NotCurrent => Why::NotCurrent,
            Refusal::Contested { .. } => Why::Contested,
            Refusal::NotLatest => Why::NotLatest,
            Refusal::StillCurrent => Why::StillCurrent,
            Refusal::ConflictChanged { version } => Why::ConflictChanged(*version),
            Refusal::NotReopenable => Why::NotReopenable,
            Refusal::NotWaiting => Why::NotWaiting,
            Refusal::Merged { .. } => Why::Merged,
            Refusal::NotMerged => Why::NotMerged,
            Refusal::Taken { .. } => Why::Taken,
            Refusal::ConflictFull | Refusal::BadInput(_) => panic!("{refusal}"),
        },
        MemoryError::NoSuchConflict => Why::NoSuchConflict,
        MemoryError::NoSuchReview => Why::NoSuchReview,
        MemoryError::Secret(_)
        | MemoryError::RunLacks(_)
        | MemoryError::NotCurrent { .. }
        | MemoryError::NoSuchReceipt
        | MemoryError::AwaitingReconciliation
        | MemoryError::Adoption(_)
        | MemoryError::LegacyDamaged { .. }
        | MemoryError::Source(_)
        | MemoryError::AdoptionRolledBack { .. }
        | MemoryError::KeyTaken { .. }
        | MemoryError::NoSuchAdoption
        | MemoryError::QueryForgotten
        | MemoryError::NotPermitted
        | MemoryError::Contention
        | MemoryError::Intent { .. }
        | MemoryError::SemanticUnavailable
        | MemoryError::Embedder(_)
        | MemoryError::Transfer(_)
        | MemoryError::Open(_)
        | MemoryError::Store(_)
        | MemoryError::Index(_)
        | MemoryError::IndexPaused { .. }
        | MemoryError::Forbidden(_)
        | MemoryError::NoSuchKey
        | MemoryError::BadKey
        | MemoryError::NoRandomness(_) => panic!("{error}"),
    }
}
