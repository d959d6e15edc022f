//! Changing facts: parse, find, decide, record, project; one straight line.

use std::collections::BTreeSet;
use std::future::ready;

use fact::{
    Case, Decision, Draft, FactId, Id, Proposal, RequestKey, RevisionNumber, Scope, Target, Text, Timestamp,
    Trust, canonical, limits,
};
use ledger::{Record, RecordError, Recorded, Request, Sought};
use reconcile::{Moment, Refusal};
use serde_json::{Value, json};

use crate::receipt::Answer;
use crate::{Caller, Memory, MemoryError, Receipt, fresh, once};

/// How often a change is decided anew because others changed the fact meanwhile.
pub(crate) const DECISIONS_MAX: u32 = 200;

/// A request: who asks, under which key, and what it means.
#[derive(Clone)]
pub(crate) struct Asked<'a> {
    pub(crate) caller: &'a Caller,
    pub(crate) key: RequestKey,
    pub(crate) meaning: String,
    /// The facts that what is said is derived from, by its own account; none where nothing is said.
    pub(crate) derived_from: Option<Vec<FactId>>,
}

impl Memory {
    /// Says something: a new fact, or another revision of one. The same request with the same key is answered again.
    pub async fn remember(
        &self,
        caller: &Caller,
        key: Option<RequestKey>,
        draft: Draft,
    ) -> Result<Receipt, MemoryError> {
        let draft = self.screen.draft(draft)?;
        let mut asked = self.asked(caller, key, "write", &draft.to_json())?;
        if let Some(receipt) = self.replayed(&asked).await? {
            return Ok(receipt);
        }
        let now = self.now(caller.tenant()).await?;
        let proposal = Proposal::parse(draft, caller.tenant(), now)?;
        let sought = sought(&proposal, caller);
        asked.derived_from = Some(proposal.provenance.derived_from.clone());
        if let Target::Place { scope, .. } = &proposal.target {
            check_write(caller, scope)?;
        }
        self.change(asked, &sought, |case, moment| {
            if case.is_none() && matches!(proposal.target, Target::Fact(_)) {
                return Err(MemoryError::NotFound);
            }
            Ok(reconcile::decide(case, &proposal, &self.policy, moment)?)
        })
        .await
    }

    /// The least trust of what a statement is derived from, as it is now: of what it names itself, and, where a machine
    /// rewrites, of what that was derived from. A source that the caller cannot read vouches for nothing.
    pub(crate) async fn least_trust(
        &self,
        asked: &Asked<'_>,
        case: Option<&Case>,
    ) -> Result<Option<Trust>, MemoryError> {
        let Some(named) = &asked.derived_from else { return Ok(None) };
        let mut sources: BTreeSet<FactId> = named.iter().copied().collect();
        if !asked.caller.actor.is_person() {
            let before = case.iter().flat_map(|case| &case.revisions);
            sources.extend(before.flat_map(|revision| &revision.saying.provenance.derived_from));
        }
        let mut least = None;
        for source in sources {
            let case = self.ledger.case(&asked.caller.reader, &Sought::Fact(source)).await?;
            let revisions = case.map_or_else(Vec::new, |case| case.revisions);
            let trust = revisions.iter().map(|revision| revision.saying.trust).reduce(Trust::least);
            let trust = trust.unwrap_or(Trust::Unverified);
            least = Some(least.map_or(trust, |other: Trust| other.least(trust)));
        }
        Ok(least)
    }

    /// A key for a draft that is imported: the same draft from the same caller has the same one, so an import that
    /// was interrupted can be repeated.
    pub async fn import_key(&self, caller: &Caller, draft: &Draft) -> Result<RequestKey, MemoryError> {
        let draft = self.screen.draft(draft.clone())?;
        let image = canonical(&json!({ "by": caller.actor, "draft": draft.to_json() }));
        let name = self.ledger.name_of(caller.tenant(), fresh::entropy()?, &image).await?;
        Ok(RequestKey::parse(&format!("import-{name}"))?)
    }

    /// A person vouches for the current revision.
    pub async fn verify(
        &self,
        caller: &Caller,
        key: Option<RequestKey>,
        fact: FactId,
        expected: Option<RevisionNumber>,
    ) -> Result<Receipt, MemoryError> {
        let asked = self.asked(caller, key, "verify", &json!({ "fact": fact, "expectVersion": expected }))?;
        self.act(asked, fact, |case, moment| reconcile::verify(case, expected, moment)).await
    }

    /// Forgets a fact: it leaves recall, its history stays, and it can be restored.
    pub async fn forget(
        &self,
        caller: &Caller,
        key: Option<RequestKey>,
        fact: FactId,
        expected: Option<RevisionNumber>,
        reason: Option<&str>,
    ) -> Result<Receipt, MemoryError> {
        let reason = self.said("reason", reason)?;
        let reason = reason.as_deref();
        let meaning = json!({ "fact": fact, "expectVersion": expected, "reason": reason });
        self.retract(self.asked(caller, key, "delete", &meaning)?, fact, expected, reason).await
    }

    /// Forgets a fact by a request that may be part of a larger one.
    pub(crate) async fn retract(
        &self,
        asked: Asked<'_>,
        fact: FactId,
        expected: Option<RevisionNumber>,
        reason: Option<&str>,
    ) -> Result<Receipt, MemoryError> {
        let reason =
            reason.map(|reason| Text::parse("reason", reason, limits::REASON_CHARS_MAX)).transpose()?;
        self.act(asked, fact, |case, moment| reconcile::retract(case, expected, reason.clone(), moment)).await
    }

    /// Brings back what was forgotten or has run out: current from now, without an end.
    pub async fn restore(
        &self,
        caller: &Caller,
        key: Option<RequestKey>,
        fact: FactId,
        revision: Option<RevisionNumber>,
    ) -> Result<Receipt, MemoryError> {
        let asked = self.asked(caller, key, "restore", &json!({ "fact": fact, "revision": revision }))?;
        self.act(asked, fact, |case, moment| reconcile::restore(case, revision, moment)).await
    }

    /// Places a fact under legal hold, or lifts it.
    pub async fn hold(
        &self,
        caller: &Caller,
        key: Option<RequestKey>,
        fact: FactId,
        on: bool,
    ) -> Result<Receipt, MemoryError> {
        let asked = self.asked(caller, key, "hold", &json!({ "fact": fact, "on": on }))?;
        self.act(asked, fact, |case, moment| reconcile::hold(case, on, moment)).await
    }

    /// Lets a quarantined fact into recall; its provenance stays as it is.
    pub async fn admit(
        &self,
        caller: &Caller,
        key: Option<RequestKey>,
        fact: FactId,
    ) -> Result<Receipt, MemoryError> {
        let asked = self.asked(caller, key, "admit", &json!({ "fact": fact }))?;
        self.act(asked, fact, reconcile::admit).await
    }

    /// Takes a fact out of recall until an operator admits it.
    pub async fn quarantine(
        &self,
        caller: &Caller,
        key: Option<RequestKey>,
        fact: FactId,
    ) -> Result<Receipt, MemoryError> {
        let asked = self.asked(caller, key, "quarantine", &json!({ "fact": fact }))?;
        self.act(asked, fact, reconcile::quarantine).await
    }

    /// The time of this call: never before what the ledger has recorded.
    pub async fn now(&self, tenant: &Id) -> Result<Timestamp, MemoryError> {
        let recorded = self.ledger.recorded_at(tenant).await?;
        Ok(recorded.map_or(self.clock.now(), |recorded| self.clock.now().max(recorded)))
    }

    /// An act on a fact that must be there.
    pub(crate) async fn act(
        &self,
        asked: Asked<'_>,
        fact: FactId,
        decide: impl Fn(&Case, &Moment<'_>) -> Result<Decision, Refusal>,
    ) -> Result<Receipt, MemoryError> {
        self.act_on(asked, ready(Ok(Sought::Fact(fact))), decide).await
    }

    /// The same, where the fact is found by something else. A request that was answered before needs no finding.
    pub(crate) async fn act_on(
        &self,
        asked: Asked<'_>,
        sought: impl Future<Output = Result<Sought, MemoryError>>,
        decide: impl Fn(&Case, &Moment<'_>) -> Result<Decision, Refusal>,
    ) -> Result<Receipt, MemoryError> {
        if let Some(receipt) = self.replayed(&asked).await? {
            return Ok(receipt);
        }
        let decide = |case: Option<&Case>, moment: &Moment<'_>| {
            Ok(decide(case.ok_or(MemoryError::NotFound)?, moment)?)
        };
        self.change(asked, &sought.await?, decide).await
    }

    /// A request, whose whole meaning holds no secret: the one way to begin a change. What a door did not look at before
    /// is refused here.
    pub(crate) fn asked<'a>(
        &self,
        caller: &'a Caller,
        key: Option<RequestKey>,
        act: &str,
        meaning: &Value,
    ) -> Result<Asked<'a>, MemoryError> {
        let key = key.map_or_else(fresh::request_key, Ok)?;
        let meaning = json!({ "act": act, "by": caller.actor, "what": meaning });
        self.screen.id("idempotencyKey", key.as_str())?;
        self.screen.check(&meaning)?;
        Ok(Asked { caller, key, meaning: canonical(&meaning), derived_from: None })
    }

    /// The answer that the request got before.
    pub(crate) async fn replayed(&self, asked: &Asked<'_>) -> Result<Option<Receipt>, MemoryError> {
        let answer = self.answered(asked).await?;
        answer.map(|answer| receipt(&answer, true, true)).transpose()
    }

    /// The answer to whatever request had a key that the engine made itself.
    pub(crate) async fn answered_as(
        &self,
        tenant: &Id,
        key: &RequestKey,
    ) -> Result<Option<Receipt>, MemoryError> {
        let answer = self.ledger.answer_of(tenant, key).await?;
        answer.map(|answer| receipt(&answer, true, true)).transpose()
    }

    /// Finds, decides and records until nobody came in between; then makes the copy.
    async fn change(
        &self,
        asked: Asked<'_>,
        sought: &Sought,
        decide: impl Fn(Option<&Case>, &Moment<'_>) -> Result<Decision, MemoryError>,
    ) -> Result<Receipt, MemoryError> {
        let caller = asked.caller;
        for _ in 0..DECISIONS_MAX {
            let case = self.ledger.case(&caller.reader, sought).await?;
            match (&case, sought) {
                (Some(case), _) => check_write(caller, &case.head.scope)?,
                (None, Sought::Fact(fact) | Sought::Proposed(fact)) => {
                    return Err(self.missing(&caller.reader, *fact).await);
                }
                (None, Sought::Slot { .. } | Sought::Statement(_)) => {}
            }
            let now = self.now(caller.tenant()).await?;
            let sources = self.least_trust(&asked, case.as_ref()).await?;
            let decision = decide(case.as_ref(), &moment(caller, now, sources))?;
            if let Some(receipt) = self.record(&asked, now, decision).await? {
                return Ok(receipt);
            }
        }
        Err(MemoryError::Contention)
    }

    /// A fact that is there, as it is now, for somebody who may write it.
    pub(crate) async fn case_to_write(&self, caller: &Caller, fact: FactId) -> Result<Case, MemoryError> {
        let case = self.ledger.case(&caller.reader, &Sought::Fact(fact)).await?;
        let Some(case) = case else { return Err(self.missing(&caller.reader, fact).await) };
        check_write(caller, &case.head.scope)?;
        Ok(case)
    }

    /// Records what was decided, then makes the copy; none where something moved that it was decided on.
    pub(crate) async fn record(
        &self,
        asked: &Asked<'_>,
        now: Timestamp,
        decision: Decision,
    ) -> Result<Option<Receipt>, MemoryError> {
        let (caller, Decision { change, fact, revision, outcome }) = (asked.caller, decision);
        let answer = canonical(&Answer { fact, revision, outcome });
        // Mostly one; the fact itself too where nothing changed.
        let facts: BTreeSet<FactId> = change.events.iter().map(|event| event.fact).chain([fact]).collect();
        let (key, meaning) = (asked.key.clone(), asked.meaning.clone());
        let record = Record {
            tenant: caller.tenant().clone(),
            actor: caller.actor.clone(),
            now,
            entropy: fresh::entropy()?,
            change,
            request: Some(Request { key, meaning, answer: answer.clone() }),
            lease: Some(self.projector.lease(now)),
        };
        match self.ledger.record(record).await {
            Ok(Recorded::Replayed { answer }) => receipt(&answer, true, true).map(Some),
            Ok(Recorded::Appended { at, .. }) => {
                let mut searchable = true;
                for fact in facts {
                    searchable &= self.projector.project(caller.tenant().clone(), fact, at.max(now)).await;
                }
                receipt(&answer, false, searchable).map(Some)
            }
            Err(RecordError::Stale) => {
                tokio::task::yield_now().await;
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// When something is decided, by whom.
pub(crate) fn moment(caller: &Caller, now: Timestamp, sources: Option<Trust>) -> Moment<'_> {
    Moment { now, actor: &caller.actor, fresh: fresh::ids(), sources }
}

pub(crate) fn sought(proposal: &Proposal, caller: &Caller) -> Sought {
    match (&proposal.target, reconcile::slot(proposal, &caller.actor), reconcile::statement(proposal)) {
        (Target::Fact(fact), _, _) => Sought::Fact(*fact),
        (Target::Place { .. }, Some(slot), _) => {
            Sought::Slot { slot, statements: reconcile::said_without_slot(proposal, &caller.actor) }
        }
        (Target::Place { .. }, None, Some(statement)) => Sought::Statement(statement),
        (Target::Place { .. }, None, None) => unreachable!("a proposal has a fact, a key or a statement"),
    }
}

/// Who may not read a fact does not learn that it is there; who may read it and not write it is told.
pub(crate) fn check_write(caller: &Caller, scope: &Scope) -> Result<(), MemoryError> {
    if caller.writer.may_write(scope) && caller.reader.may_read(scope) {
        return Ok(());
    }
    Err(MemoryError::NotPermitted)
}

fn receipt(answer: &str, replayed: bool, searchable: bool) -> Result<Receipt, MemoryError> {
    let Answer { fact, revision, outcome } = once::read(answer)?;
    Ok(Receipt { fact, revision, outcome, replayed, searchable })
}
