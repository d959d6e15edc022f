//! Adopting memories from before the ledger: an audit for the owner to decide on, and carrying out what was sealed, step
//! by step, so that a process that dies in the middle goes on where it was.

use std::collections::HashMap;

use fact::{
    AdoptionId, Case, Container, Content, Draft, Ending, FactId, Id, LegacyDecision, LegacySource, Outcome,
    Proposal, RequestKey, Scope, Statement, Text, Truth, limits,
};
use ledger::{Adoption, AdoptionError, Begin, Begun, KeptLegacy, Sought, StepDone, StepOutcome, StoreError};
use reconcile::{
    AdoptionStep, Audit, AuditRow, Earlier, EarlierDecision, Known, KnownState, NotSealable, Review, Sealed,
    Step,
};

use crate::act::{asked, check_write};
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

impl Memory {
    /// Sorts the undecided rows of one owner into groups for a review. The same rows at the same time give the same audit;
    /// nothing changes.
    pub async fn audit_legacy(&self, caller: &Caller, owner: &Container) -> Result<Audit, MemoryError> {
        let now = self.now(caller.tenant()).await?;
        self.audit(caller, "legacy", None, now).await;
        if let Some(open) = self.unfinished(caller.tenant(), owner).await? {
            return Err(AdoptionError::Unfinished { adoption: open.adoption }.into());
        }
        let all = self.all_legacy(&caller.reader, Some(owner)).await?;
        let rejected = rejected_places(&all);
        let mut rows = Vec::new();
        for kept in all.into_iter().filter(is_undecided) {
            let known = self.known(caller, &kept).await?;
            let place = (kept.row.legacy.source, kept.row.legacy.place.clone());
            rows.push(AuditRow {
                row: kept.row.row,
                scope: kept.row.scope.clone(),
                earlier: earlier(&kept, rejected.get(&place)),
                legacy: kept.row.legacy,
                digest: kept.digest,
                known,
                meaning: Vec::new(),
            });
        }
        self.give_meanings(&mut rows).await;
        let audited = tokio::task::spawn_blocking(move || reconcile::audit(&rows, now)).await;
        // Nobody cancels it, so that it can only have panicked.
        Ok(audited.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic())))
    }

    /// Seals a review in the caller's name, who must be a person.
    pub async fn seal_review(
        &self,
        caller: &Caller,
        audit: &Audit,
        review: &Review,
    ) -> Result<Result<Sealed, NotSealable>, MemoryError> {
        let now = self.now(caller.tenant()).await?;
        Ok(reconcile::seal(audit, review, caller.actor.clone(), now))
    }

    /// Carries out a sealed review, or what is left of it. What its steps decide about is as it was reviewed, or nothing
    /// is done at all; one step that is refused does not stop the others.
    pub async fn apply_review(
        &self,
        caller: &Caller,
        sealed: &Sealed,
        progress: impl Fn(usize) + Send,
    ) -> Result<Applied, MemoryError> {
        let scope = self.reviewed_scope(caller, sealed).await?;
        let steps = reconcile::plan(sealed);
        let adoption = self.adoption_of(caller, sealed).await?;
        let begin = Begin {
            adoption,
            scope,
            reviewer: sealed.reviewer().clone(),
            steps: u32::try_from(steps.len()).unwrap_or(u32::MAX),
            rows: sealed.rows().iter().map(|row| (row.row, row.digest.clone())).collect(),
        };
        let tenant = caller.tenant().clone();
        let begun = self.ledger.begin_adoption(begin, self.now(&tenant).await?).await?;
        let (done, was_applied) = match begun {
            Begun::Open { done } => (done, false),
            Begun::Applied => (steps.iter().map(|step| step.number).collect(), true),
            Begun::RolledBack => return Err(MemoryError::AdoptionRolledBack { adoption }),
        };
        let (mut unsearchable, mut refused) = (0, HashMap::new());
        for step in steps.iter().filter(|step| !done.contains(&step.number)) {
            let Did { done, note, searchable } = self.carry_out(caller, adoption, step).await?;
            unsearchable += usize::from(!searchable);
            if let (StepOutcome::Refused, Some(note)) = (done.outcome, &note) {
                refused.insert(done.step, note.as_str().to_owned());
            }
            ledger::crash::point("adopt.recorded");
            let now = self.now(&tenant).await?;
            let made = done.fact.filter(|_| done.outcome == StepOutcome::Adopted);
            let number = done.step;
            if !self.ledger.adoption_step(tenant.clone(), adoption, done, note, now).await? {
                // Somebody took it back meanwhile: what was made since goes, too.
                if let Some(made) = made {
                    self.take_back(caller, adoption, number, made).await?;
                }
                return Err(MemoryError::AdoptionRolledBack { adoption });
            }
            progress(1);
        }
        if !was_applied {
            ledger::crash::point("adopt.carried-out");
            let now = self.now(&tenant).await?;
            self.ledger.end_adoption(tenant.clone(), adoption, false, now).await?;
            self.catch_up(now).await;
        }
        let all = self.ledger.adoption_steps(&tenant, adoption).await?;
        let steps = all.into_iter().map(|done| {
            let why = refused.remove(&done.step);
            (done, why)
        });
        let resumed = if was_applied { 0 } else { done.len() };
        Ok(Applied { adoption, was_applied, resumed, steps: steps.collect(), unsearchable })
    }

    /// The adoptions of owners whose rows the caller may read, in the order in which they were begun.
    pub async fn adoptions(&self, caller: &Caller) -> Result<Vec<Adoption>, MemoryError> {
        let mut adoptions = self.ledger.adoptions(caller.tenant()).await?;
        adoptions.retain(|one| caller.reader.may_read(&one.scope));
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
        let is_open = |one: &Adoption| one.applied_at.is_none() && one.rolled_back_at.is_none();
        let mut all = self.ledger.adoptions(tenant).await?.into_iter();
        Ok(all.find(|one| is_open(one) && one.scope.anchor() == *owner))
    }

    /// One of the scopes that a review is about; the caller may write them all, and is a person.
    async fn reviewed_scope(&self, caller: &Caller, sealed: &Sealed) -> Result<Scope, MemoryError> {
        if !caller.actor.is_person() {
            return Err(MemoryError::NotPermitted);
        }
        let (mut scope, mut changed) = (None, Vec::new());
        for row in sealed.rows() {
            match self.ledger.legacy(caller.tenant(), row.row).await {
                Ok(Some(found)) => {
                    check_write(caller, &found.scope)?;
                    scope.get_or_insert(found.scope);
                }
                Ok(None) | Err(StoreError::Damaged { .. }) => changed.push(row.row),
                Err(error) => return Err(error.into()),
            }
        }
        scope.ok_or_else(|| AdoptionError::Changed { rows: changed }.into())
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
                let key = RequestKey::parse(&format!("adopt-{adoption}.{}", step.number))?;
                match self.adopt(caller, key, &rows, adopted.draft()).await {
                    Ok(receipt) => {
                        let outcome = came_to(receipt.outcome);
                        let fact = Some((receipt.fact, receipt.revision));
                        let done = StepDone { step: step.number, outcome, rows, fact };
                        Did { done, note: None, searchable: receipt.searchable }
                    }
                    Err(error) if is_about_the_row(&error) => {
                        let why: String =
                            format!("refused: {error}").chars().take(limits::NOTE_CHARS_MAX).collect();
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
        let asked = asked(caller, Some(key.clone()), "write", &draft.to_json())?;
        if let Some(receipt) = self.replayed(&asked).await? {
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
            let answered = self.replayed(&asked).await?;
            return answered.ok_or(MemoryError::KeyTaken { fact: head.fact });
        }
        self.remember(caller, Some(key), draft).await
    }

    /// What the ledger holds that says what a row says.
    async fn known(&self, caller: &Caller, kept: &KeptLegacy) -> Result<Option<Known>, MemoryError> {
        let statement = Statement {
            kind: kept.row.legacy.kind(),
            scope: kept.row.scope.clone(),
            statement: Text::stored(Content::of_text(&kept.row.legacy.text).statement()),
        };
        let case = self.ledger.case(&caller.reader, &Sought::Statement(statement)).await?;
        let known = case.and_then(|case| Some(Known { fact: case.head.fact, state: known_as(&case)? }));
        // What an adoption made and took back was not forgotten by its owner.
        Ok(known.filter(|known| known.state != KnownState::Forgotten || !kept.row.standing.was_rolled_back))
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

/// Notes of rows that a review rejected, by where they stand: what stands there now is another text.
fn rejected_places(all: &[KeptLegacy]) -> HashMap<(LegacySource, Text), Option<Text>> {
    let is_rejected = |kept: &&KeptLegacy| kept.row.standing.decision == Some(LegacyDecision::Rejected);
    let place = |kept: &KeptLegacy| {
        let legacy = &kept.row.legacy;
        ((legacy.source, legacy.place.clone()), kept.row.standing.note.clone())
    };
    all.iter().filter(is_rejected).map(place).collect()
}

fn is_undecided(kept: &KeptLegacy) -> bool {
    let standing = &kept.row.standing;
    match standing.decision {
        None | Some(LegacyDecision::Deferred) => !standing.is_cited,
        Some(LegacyDecision::Adopted | LegacyDecision::Kept | LegacyDecision::Rejected) => false,
    }
}

fn earlier(kept: &KeptLegacy, rejected: Option<&Option<Text>>) -> Option<Earlier> {
    let standing = &kept.row.standing;
    let (decision, note) = match (standing.decision, rejected) {
        (Some(LegacyDecision::Deferred), _) => (EarlierDecision::Deferred, standing.note.clone()),
        _ if standing.was_rolled_back => (EarlierDecision::RolledBack, standing.note.clone()),
        (_, Some(note)) => (EarlierDecision::Rejected, note.clone()),
        (_, None) => return None,
    };
    Some(Earlier { decision, note })
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
fn came_to(outcome: Outcome) -> StepOutcome {
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

/// Whether other steps may fare better.
fn is_about_the_row(error: &MemoryError) -> bool {
    matches!(
        error,
        MemoryError::BadInput(_)
            | MemoryError::Refused(_)
            | MemoryError::KeyTaken { .. }
            | MemoryError::NotPermitted
            | MemoryError::Adoption(AdoptionError::Changed { .. })
    )
}
