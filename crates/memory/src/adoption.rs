//! Adopting memories from before the ledger: an audit for the owner to decide on, and carrying out what was sealed, step
//! by step, so that a process that dies in the middle goes on where it was.

use std::collections::HashMap;

use fact::{
    AdoptionId, BadInput, Case, Container, Content, Draft, Ending, FactId, Held, Id, Legacy, LegacyDecision,
    LegacyOrigin, LegacyRow, LegacySource, Outcome, Proposal, RequestKey, Scope, Text, Timestamp, Truth,
    limits,
};
use ledger::{
    Adoption, AdoptionError, Begun, Filter, Instant, KeptLegacy, Seal, Seen, Sought, StepDone, StepOutcome,
};
use reconcile::{
    AdoptionStep, Audit, AuditRow, Earlier, EarlierDecision, Known, KnownState, NotSealable, Review, Sealed,
    Step,
};

use crate::act::check_write;
use crate::duplicates::COMPARED_FACTS_MAX;
use crate::{Caller, Memory, MemoryError, Receipt, fresh};

/// What applying a sealed review came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The adoption: its receipt.
    pub adoption: AdoptionId,
    /// Whether it had been applied before, and nothing was done now.
    pub was_applied: bool,
    /// Steps that an earlier run had done.
    pub resumed: usize,
    /// What each step came to, and why where it was refused.
    pub steps: Vec<(StepDone, Option<String>)>,
    /// Facts that are not searchable yet: their copies failed, and are tried again.
    pub unsearchable: usize,
}

/// What a step came to that this run did.
struct Did {
    done: StepDone,
    note: Option<Text>,
    searchable: bool,
}

/// What the note of a row begins with whose step was refused.
const REFUSED: &str = "refused: ";

impl Memory {
    /// Sorts the undecided rows of one owner into groups for a review. The same rows at the same time give the same audit;
    /// nothing changes. What the ledger says of the same owner is looked at: nothing that contradicts it is safe.
    pub async fn audit_legacy(&self, caller: &Caller, owner: &Container) -> Result<Audit, MemoryError> {
        let now = self.now(caller.tenant()).await?;
        self.audit(caller, "legacy", None, now).await;
        if let Some(open) = self.unfinished(caller.tenant(), owner).await? {
            return Err(AdoptionError::Unfinished { adoption: open.adoption }.into());
        }
        let all = self.all_legacy(&caller.reader, Some(owner)).await?;
        if all.damaged > 0 {
            return Err(MemoryError::LegacyDamaged { rows: all.damaged });
        }
        let rejected: Vec<LegacyRow> = all
            .rows
            .iter()
            .filter(|kept| kept.row.standing.decision == Some(LegacyDecision::Rejected))
            .map(|kept| kept.row.clone())
            .collect();
        let mut rows = Vec::new();
        for kept in all.rows.into_iter().filter(|kept| kept.row.standing.is_open()) {
            let known = self.known(caller, &kept).await?;
            rows.push(AuditRow {
                row: kept.row.row,
                scope: kept.row.scope.clone(),
                earlier: earlier(&kept, &rejected),
                legacy: kept.row.legacy,
                digest: kept.digest,
                known,
                meaning: Vec::new(),
            });
        }
        self.give_meanings(&mut rows).await;
        let facts = self.facts_beside(caller, owner, now).await?;
        let audited = tokio::task::spawn_blocking(move || {
            reconcile::mark_contradicted(&mut rows, &facts, now);
            reconcile::audit(&rows, now)
        });
        // Nobody cancels it, so that it can only have panicked.
        Ok(audited.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic())))
    }

    /// Seals a review in the caller's name, who must be a person and may write what it is about. Only what was sealed here
    /// is ever applied.
    pub async fn seal_review(
        &self,
        caller: &Caller,
        audit: &Audit,
        review: &Review,
    ) -> Result<Result<Sealed, NotSealable>, MemoryError> {
        for row in audit.groups.iter().flat_map(|group| &group.rows) {
            check_write(caller, &row.scope)?;
        }
        let now = self.now(caller.tenant()).await?;
        let sealed = match reconcile::seal(audit, review, caller.actor.clone(), now) {
            Ok(sealed) => sealed,
            Err(why) => return Ok(Err(why)),
        };
        self.check_steps(&sealed)?;
        if let Some(first) = audit.groups.iter().flat_map(|group| &group.rows).next() {
            let seal = Seal {
                adoption: self.adoption_of(caller, &sealed).await?,
                scope: first.scope.clone(),
                reviewer: caller.actor.clone(),
                steps: u32::try_from(reconcile::plan(&sealed).len()).unwrap_or(u32::MAX),
            };
            self.ledger.seal(seal, now).await?;
        }
        Ok(Ok(sealed))
    }

    /// Refuses a review in which a secret would be kept, before it is sealed.
    fn check_steps(&self, sealed: &Sealed) -> Result<(), MemoryError> {
        for step in reconcile::plan(sealed) {
            match step.step {
                Step::Keep { .. } => {}
                Step::Reject { note, .. } | Step::Defer { note, .. } => {
                    self.said("note", note.as_ref().map(Text::as_str))?;
                }
                Step::Adopt(adopted) => {
                    self.screen.draft(adopted.draft())?;
                }
            }
        }
        Ok(())
    }

    /// Carries out a sealed review, or what is left of it. What its steps decide about is as it was reviewed, or nothing
    /// is done at all; one step that is refused does not stop the others.
    pub async fn apply_review(
        &self,
        caller: &Caller,
        sealed: &Sealed,
        progress: impl Fn(usize) + Send,
    ) -> Result<Applied, MemoryError> {
        let adoption = self.adoption_of(caller, sealed).await?;
        self.may_decide(caller, adoption).await?;
        let tenant = caller.tenant().clone();
        let rows = sealed.rows().iter().map(|row| (row.row, row.digest.clone())).collect();
        let begun =
            self.ledger.begin_adoption(tenant.clone(), adoption, rows, self.now(&tenant).await?).await?;
        let done = match begun {
            Begun::Open { done } => done,
            Begun::Applied => {
                let steps = self.steps_with(&tenant, adoption, &HashMap::new()).await?;
                return Ok(Applied { adoption, was_applied: true, resumed: 0, steps, unsearchable: 0 });
            }
            Begun::RolledBack => return Err(MemoryError::AdoptionRolledBack { adoption }),
        };
        let (mut unsearchable, mut refused) = (0, HashMap::new());
        for step in reconcile::plan(sealed).iter().filter(|step| !done.contains(&step.number)) {
            let Did { done, note, searchable } = self.carry_out(caller, adoption, step).await?;
            unsearchable += usize::from(!searchable);
            if let (StepOutcome::Refused, Some(note)) = (done.outcome, &note) {
                refused.insert(done.step, note.as_str().to_owned());
            }
            ledger::crash::point("adopt.recorded");
            self.keep_step(caller, adoption, done, note).await?;
            progress(1);
        }
        ledger::crash::point("adopt.carried-out");
        let now = self.now(&tenant).await?;
        self.ledger.adoption_applied(tenant.clone(), adoption, now).await?;
        self.catch_up(now).await;
        let steps = self.steps_with(&tenant, adoption, &refused).await?;
        Ok(Applied { adoption, was_applied: false, resumed: done.len(), steps, unsearchable })
    }

    /// What the steps of an adoption came to, and why where one was refused: in this run, or as its rows were told before.
    async fn steps_with(
        &self,
        tenant: &Id,
        adoption: AdoptionId,
        refused: &HashMap<u32, String>,
    ) -> Result<Vec<(StepDone, Option<String>)>, MemoryError> {
        let mut all = Vec::new();
        for done in self.ledger.adoption_steps(tenant, adoption).await? {
            let mut why = refused.get(&done.step).cloned();
            if let (StepOutcome::Refused, None, Some(row)) = (done.outcome, &why, done.rows.first()) {
                let kept = self.ledger.legacy(tenant, *row).await?;
                why = kept.and_then(|kept| kept.standing.note).map(|note| note.as_str().to_owned());
                // What was decided about it since is another story.
                why = why.filter(|why| why.starts_with(REFUSED));
            }
            all.push((done, why));
        }
        Ok(all)
    }

    /// Records a step; where somebody takes the adoption back meanwhile, it is taken back, too.
    async fn keep_step(
        &self,
        caller: &Caller,
        adoption: AdoptionId,
        done: StepDone,
        note: Option<Text>,
    ) -> Result<(), MemoryError> {
        let tenant = caller.tenant().clone();
        let now = self.now(&tenant).await?;
        // It was refused when it was sealed, unless nothing was looked for then.
        let note = note.map(|note| self.screen.cleaned(note.as_str()).map_or(note, Text::stored));
        if self.ledger.adoption_step(tenant, adoption, done.clone(), note, now).await? {
            return Ok(());
        }
        self.step_back(caller, adoption, done).await?;
        Err(MemoryError::AdoptionRolledBack { adoption })
    }

    /// The adoptions of owners whose rows the caller may read, in the order in which they were sealed: those that have
    /// begun.
    pub async fn adoptions(&self, caller: &Caller) -> Result<Vec<Adoption>, MemoryError> {
        let mut adoptions = self.ledger.adoptions(caller.tenant()).await?;
        adoptions.retain(|one| one.begun_at.is_some() && caller.reader.may_read(&one.scope));
        Ok(adoptions)
    }

    /// What the steps of an adoption came to.
    pub async fn adoption_steps(
        &self,
        caller: &Caller,
        adoption: AdoptionId,
    ) -> Result<Vec<StepDone>, MemoryError> {
        self.readable_adoption(caller, adoption).await?;
        Ok(self.ledger.adoption_steps(caller.tenant(), adoption).await?)
    }

    pub(crate) async fn readable_adoption(
        &self,
        caller: &Caller,
        adoption: AdoptionId,
    ) -> Result<Adoption, MemoryError> {
        let found = self.adoptions(caller).await?.into_iter().find(|one| one.adoption == adoption);
        found.ok_or(MemoryError::NoSuchAdoption)
    }

    async fn unfinished(&self, tenant: &Id, owner: &Container) -> Result<Option<Adoption>, MemoryError> {
        let mut all = self.ledger.adoptions(tenant).await?.into_iter();
        Ok(all.find(|one| one.is_unfinished() && one.scope.anchor() == *owner))
    }

    async fn may_decide(&self, caller: &Caller, adoption: AdoptionId) -> Result<(), MemoryError> {
        let all = self.ledger.adoptions(caller.tenant()).await?;
        let found = all.into_iter().find(|one| one.adoption == adoption).ok_or(AdoptionError::NotSealed)?;
        check_decides(caller, &found.scope)
    }

    /// The same sealed review is the same adoption.
    async fn adoption_of(&self, caller: &Caller, sealed: &Sealed) -> Result<AdoptionId, MemoryError> {
        let text = format!("adoption\0{}", sealed.digest());
        let name = self.ledger.name_of(caller.tenant(), fresh::entropy()?, &text).await?;
        let half = name.get(..32).and_then(|half| u128::from_str_radix(half, 16).ok());
        Ok(AdoptionId::of(half.expect("a name is 64 hexadecimal digits").to_be_bytes()))
    }

    async fn carry_out(
        &self,
        caller: &Caller,
        adoption: AdoptionId,
        step: &AdoptionStep,
    ) -> Result<Did, MemoryError> {
        let did = |outcome, rows: &[FactId], note: Option<&Text>| Did {
            done: StepDone { step: step.number, outcome, rows: rows.to_vec(), fact: None },
            note: note.cloned(),
            searchable: true,
        };
        Ok(match &step.step {
            Step::Keep { row } => did(StepOutcome::Kept, &[*row], None),
            Step::Reject { rows, note } => did(StepOutcome::Rejected, rows, note.as_ref()),
            Step::Defer { rows, note } => did(StepOutcome::Deferred, rows, note.as_ref()),
            Step::Adopt(adopted) => {
                let rows: Vec<FactId> = adopted.cites.iter().map(|cite| cite.row).collect();
                let key = step_key(adoption, step.number)?;
                match self.adopt(caller, key, &rows, adopted.draft()).await {
                    Ok(receipt) => {
                        let outcome = came_to(receipt.outcome);
                        let fact = Some((receipt.fact, receipt.revision));
                        let done = StepDone { step: step.number, outcome, rows, fact };
                        Did { done, note: None, searchable: receipt.searchable }
                    }
                    Err(error) if is_about_the_row(&error) => {
                        let why: String =
                            format!("{REFUSED}{error}").chars().take(limits::NOTE_CHARS_MAX).collect();
                        did(StepOutcome::Refused, &rows, Some(&Text::stored(why)))
                    }
                    Err(error) => return Err(error),
                }
            }
        })
    }

    /// Makes a fact of rows that are still there. A key that another fact has by now is that fact's.
    async fn adopt(
        &self,
        caller: &Caller,
        key: RequestKey,
        rows: &[FactId],
        draft: Draft,
    ) -> Result<Receipt, MemoryError> {
        // Whoever applied it before: the key is that of the step.
        if let Some(receipt) = self.answered_as(caller.tenant(), &key).await? {
            return Ok(receipt);
        }
        for row in rows {
            if self.ledger.legacy(caller.tenant(), *row).await?.is_none() {
                // Its words were erased while this was carried out.
                return Err(AdoptionError::Changed { rows: vec![*row] }.into());
            }
        }
        let now = self.now(caller.tenant()).await?;
        let proposal = Proposal::parse(draft.clone(), caller.tenant(), now)?;
        if let Some(slot) = reconcile::slot(&proposal, &caller.actor)
            && let Some(head) = self.ledger.in_slot(caller.tenant(), &slot).await?
        {
            // Another process may apply the same review, and have been faster.
            let answered = self.answered_as(caller.tenant(), &key).await?;
            return answered.ok_or(MemoryError::KeyTaken { fact: head.fact });
        }
        match self.remember(caller, Some(key.clone()), draft).await {
            Err(MemoryError::KeyReused) => {
                self.answered_as(caller.tenant(), &key).await?.ok_or(MemoryError::KeyReused)
            }
            receipt => receipt,
        }
    }

    /// What the ledger says of the same owner, as rows to be compared with.
    async fn facts_beside(
        &self,
        caller: &Caller,
        owner: &Container,
        now: Timestamp,
    ) -> Result<Vec<AuditRow>, MemoryError> {
        let (filter, mut after, mut facts) = (Filter::current(), None, Vec::new());
        loop {
            let (at, most) = (Instant::now(now), limits::PAGE_ITEMS_MAX);
            let page = self.ledger.list(&caller.reader, &filter, at, after.as_ref(), most).await?;
            facts.extend(
                page.items.iter().filter(|seen| seen.head.scope.anchor() == *owner).filter_map(beside),
            );
            after = page.next;
            if after.is_none() || facts.len() >= COMPARED_FACTS_MAX {
                return Ok(facts);
            }
        }
    }

    /// What the ledger holds that says what a row says, of whatever kind.
    async fn known(&self, caller: &Caller, kept: &KeptLegacy) -> Result<Option<Known>, MemoryError> {
        if kept.row.standing.held != Held::Said {
            return Ok(None);
        }
        let mut known: Option<Known> = None;
        for fact in self.ledger.facts_saying(&kept.row).await? {
            let Some(case) = self.ledger.case(&caller.reader, &Sought::Fact(fact)).await? else { continue };
            let state = known_as(&case).filter(|state| {
                // What an adoption made and took back was not forgotten by its owner.
                *state != KnownState::Forgotten || !kept.row.standing.was_rolled_back
            });
            let found = state.map(|state| Known { fact, state });
            known = known.filter(|known| known.state == KnownState::Current).or(found).or(known);
        }
        Ok(known)
    }

    /// What the rows mean, as far as the index knows; without it their words alone are compared.
    async fn give_meanings(&self, rows: &mut [AuditRow]) {
        let digest = |row: &AuditRow| Content::of_text(&row.legacy.text).hash();
        let digests: Vec<String> = rows.iter().map(digest).collect();
        let Ok(meanings) = self.read_meanings(&digests).await else { return };
        for (row, digest) in rows.iter_mut().zip(digests) {
            row.meaning = meanings.by_digest.get(&digest).cloned().unwrap_or_default();
        }
    }
}

/// Refuses whoever is no person, or may not write the scope that was reviewed.
pub(crate) fn check_decides(caller: &Caller, scope: &Scope) -> Result<(), MemoryError> {
    check_write(caller, scope)?;
    if caller.actor.is_person() { Ok(()) } else { Err(MemoryError::NotPermitted) }
}

fn earlier(kept: &KeptLegacy, rejected: &[LegacyRow]) -> Option<Earlier> {
    let standing = &kept.row.standing;
    let (decision, note) = match standing.decision {
        Some(LegacyDecision::Deferred) => (EarlierDecision::Deferred, standing.note.clone()),
        _ if standing.was_rolled_back => (EarlierDecision::RolledBack, standing.note.clone()),
        _ => {
            let before = rejected.iter().find(|one| reconcile::is_changed(&one.legacy, &kept.row.legacy))?;
            (EarlierDecision::Rejected, before.standing.note.clone())
        }
    };
    Some(Earlier { decision, note })
}

/// A fact as a row to be compared with.
fn beside(seen: &Seen) -> Option<AuditRow> {
    let words = seen.revision.words.as_ref()?;
    let text = words.content.as_ref()?.text();
    let place = Text::stored(seen.head.fact.to_string());
    let legacy = Legacy {
        kind: Some(seen.head.kind.clone()),
        key: words.key.clone(),
        ..Legacy::new(LegacySource::Ndjson, LegacyOrigin::Explicit, place, text)
    };
    let (row, scope) = (seen.head.fact, seen.head.scope.clone());
    Some(AuditRow {
        row,
        scope,
        legacy,
        digest: String::new(),
        earlier: None,
        known: None,
        meaning: Vec::new(),
    })
}

/// How a fact that says the same stands, where that matters to a review. What merely ran out is said anew.
fn known_as(case: &Case) -> Option<KnownState> {
    match &case.head.truth {
        Truth::Settled(_) => Some(KnownState::Current),
        Truth::Contested(_) => Some(KnownState::Contested),
        Truth::Ended(Ending::Retracted { .. }) => Some(KnownState::Forgotten),
        Truth::Ended(_) => None,
    }
}

/// Whether what was said became the truth, or went to a fact that was there before.
pub(crate) fn came_to(outcome: Outcome) -> StepOutcome {
    match outcome {
        Outcome::Created | Outcome::Superseded | Outcome::Restored | Outcome::Accepted { .. } => {
            StepOutcome::Adopted
        }
        Outcome::Unchanged
        | Outcome::EvidenceAdded
        | Outcome::History
        | Outcome::ConflictOpened { .. }
        | Outcome::ConflictJoined { .. }
        | Outcome::HeldBack { .. }
        | Outcome::Dismissed { .. }
        | Outcome::Settled { .. }
        | Outcome::Reopened { .. }
        | Outcome::Expired
        | Outcome::Verified
        | Outcome::Retracted
        | Outcome::Moved
        | Outcome::Merged { .. }
        | Outcome::Split { .. }
        | Outcome::Admitted
        | Outcome::Quarantined
        | Outcome::HoldPlaced
        | Outcome::HoldLifted => StepOutcome::Already,
    }
}

/// The key of the request that a step makes.
pub(crate) fn step_key(adoption: AdoptionId, step: u32) -> Result<RequestKey, BadInput> {
    RequestKey::parse(&format!("adopt-{adoption}.{step}"))
}

/// Whether other steps may fare better.
fn is_about_the_row(error: &MemoryError) -> bool {
    matches!(
        error,
        MemoryError::BadInput(_)
            | MemoryError::Secret(_)
            | MemoryError::Refused(_)
            | MemoryError::KeyTaken { .. }
            | MemoryError::NotPermitted
            | MemoryError::Adoption(AdoptionError::Changed { .. })
    )
}
