//! Reading facts: never without a reader, and as of an instant of knowledge and of the world.

use fact::{
    Admission, Case, Event, FactId, Happening, Head, Id, Merged, Position, Reader, Revision, RevisionNumber,
    Slot, State, Statement, Timestamp, Truth, Words,
};
use sqlx::AnyConnection;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::error::StoreError;
use crate::{Ledger, find, merged, review, row};

/// What is asked about: what the ledger knew at `known`, of what was true at `valid`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instant {
    /// The state of knowledge.
    pub known: Timestamp,
    /// The time in the world.
    pub valid: Timestamp,
}

impl Instant {
    /// What is known and true at `now`.
    pub fn now(now: Timestamp) -> Self {
        Self { known: now, valid: now }
    }
}

/// How the rules look for a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sought {
    /// By id. What is not approved yet is not found so.
    Fact(FactId),
    /// By id, be it approved or not: for whoever decides about it.
    Proposed(FactId),
    /// By the slot of its key; or the fact that a person had forgotten which makes one of the statements, where nothing
    /// else makes it and the slot has no forgotten or contested fact of its own.
    Slot {
        /// The slot.
        slot: Slot,
        /// What may have been forgotten elsewhere.
        statements: Vec<Statement>,
    },
    /// By the statement that it makes.
    Statement(Statement),
}

/// A revision as a reader sees it at an instant.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// The fact, its truth as of then.
    pub head: Head,
    /// The revision.
    pub revision: Revision,
    /// The state of the revision then.
    pub state: State,
    /// Whether the revision may be recalled at all.
    pub admission: Admission,
}

impl Ledger {
    /// The fact that the rules look for, with what its truth names. None when it is unknown or not this reader's.
    pub async fn case(&self, reader: &Reader, sought: &Sought) -> Result<Option<Case>, StoreError> {
        let mut connection = self.reader().await?;
        let tenant = &reader.tenant;
        let head = match sought {
            Sought::Fact(fact) => said(find::head(&mut connection, tenant, *fact).await?),
            Sought::Proposed(fact) => find::head(&mut connection, tenant, *fact).await?,
            Sought::Slot { slot, statements } => match self.secret(&mut connection, tenant).await? {
                Some(secret) => {
                    find::in_slot_or_forgotten(&mut connection, tenant, &secret, (slot, statements)).await?
                }
                None => None,
            },
            Sought::Statement(statement) => match self.secret(&mut connection, tenant).await? {
                Some(secret) => find::saying(&mut connection, tenant, &secret, statement, None).await?,
                None => None,
            },
        };
        let Some(head) = head.filter(|head| reader.may_read(&head.scope)) else {
            return Ok(None);
        };
        let (mut revisions, mut merged) = (Vec::new(), Vec::new());
        for number in head.truth.revisions() {
            revisions.push(revision(&mut connection, tenant, &head, number).await?);
            merged.extend(merged::into(&mut connection, tenant, &head, number).await?);
        }
        let said_again = review::said_again(&mut connection, tenant, &head).await?;
        Ok(Some(Case { head, revisions, merged, said_again }))
    }

    /// A fact other than that one which makes a statement, contested and forgotten ones included.
    pub async fn said_elsewhere(
        &self,
        tenant: &Id,
        statement: &Statement,
        fact: FactId,
    ) -> Result<Option<Head>, StoreError> {
        let mut connection = self.reader().await?;
        let Some(secret) = self.secret(&mut connection, tenant).await? else { return Ok(None) };
        find::saying(&mut connection, tenant, &secret, statement, Some(fact)).await
    }

    /// The fact that has a slot, or goes on for the one that has it.
    pub async fn in_slot(&self, tenant: &Id, slot: &Slot) -> Result<Option<Head>, StoreError> {
        let mut connection = self.reader().await?;
        let Some(secret) = self.secret(&mut connection, tenant).await? else { return Ok(None) };
        find::in_slot(&mut connection, tenant, &secret, slot).await
    }

    /// The revision that is settled at an instant. None when there is none, or the fact is not this reader's.
    pub async fn get(&self, reader: &Reader, fact: FactId, at: Instant) -> Result<Option<Seen>, StoreError> {
        let mut connection = self.reader().await?;
        let Some(head) = head_as_of(&mut connection, reader, fact, at.known).await? else {
            return Ok(None);
        };
        let number = settled(&mut connection, &reader.tenant, &head, at).await?;
        let Some(number) = number else { return Ok(None) };
        let revision = revision(&mut connection, &reader.tenant, &head, number).await?;
        let state = if at.valid == at.known { State::Active } else { state_then(&head.truth, number, at) };
        Ok(Some(seen(head, revision, state, at.known)))
    }

    /// The fact whose head a statement finds by an id. None where there is none, or it is not this reader's.
    pub(crate) async fn fact_of(
        &self,
        reader: &Reader,
        statement: &'static str,
        id: &str,
    ) -> Result<Option<FactId>, StoreError> {
        let mut connection = self.reader().await?;
        let found = sqlx::query(statement)
            .bind(reader.tenant.as_str())
            .bind(id)
            .fetch_optional(&mut *connection)
            .await?;
        let head = found.map(|found| row::head(&found, 0)).transpose()?;
        Ok(head.filter(|head| reader.may_read(&head.scope)).map(|head| head.fact))
    }

    /// The head of a fact as it is now. None when it is unknown, not approved, or not this reader's.
    pub async fn head(&self, reader: &Reader, fact: FactId) -> Result<Option<Head>, StoreError> {
        let mut connection = self.reader().await?;
        let head = said(find::head(&mut connection, &reader.tenant, fact).await?);
        Ok(head.filter(|head| reader.may_read(&head.scope)))
    }

    /// The same, approved or not: what waits is erased like what was said.
    pub async fn head_of_any(&self, reader: &Reader, fact: FactId) -> Result<Option<Head>, StoreError> {
        let mut connection = self.reader().await?;
        let head = find::head(&mut connection, &reader.tenant, fact).await?;
        Ok(head.filter(|head| reader.may_read(&head.scope)))
    }

    /// The revisions of a fact, newest first, from below `before` on, at most `limit`.
    pub async fn revisions(
        &self,
        reader: &Reader,
        fact: FactId,
        before: Option<RevisionNumber>,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<Seen>, StoreError> {
        let mut connection = self.reader().await?;
        let Some(head) = head_as_of(&mut connection, reader, fact, now).await? else {
            return Ok(Vec::new());
        };
        let rows = sqlx::query(include_str!("sql/revision_states.sql"))
            .bind(reader.tenant.as_str())
            .bind(fact.to_string())
            .bind(before.map_or(i64::MAX, |number| i64::from(number.get())))
            .bind(i64::from(limit))
            .fetch_all(&mut *connection)
            .await?;
        let mut all = Vec::new();
        for found in rows {
            let number = revision_number(found.try_get(0)?)?;
            let (stored, _) = row::turned(number, &found, 1)?;
            let state = head.truth.state(number, now).unwrap_or(stored);
            let revision = revision(&mut connection, &reader.tenant, &head, number).await?;
            all.push(seen(head.clone(), revision, state, now));
        }
        Ok(all)
    }
}

/// A fact of which nothing was said yet is none to a reader.
fn said(head: Option<Head>) -> Option<Head> {
    head.filter(|head| head.truth.is_said())
}

/// The head of a readable fact with its truth as of `known`; none before it was first written.
async fn head_as_of(
    connection: &mut AnyConnection,
    reader: &Reader,
    fact: FactId,
    known: Timestamp,
) -> Result<Option<Head>, StoreError> {
    let found = sqlx::query(include_str!("sql/head_as_of.sql"))
        .bind(reader.tenant.as_str())
        .bind(fact.to_string())
        .bind(known.micros())
        .fetch_optional(&mut *connection)
        .await?;
    let Some(found) = found else { return Ok(None) };
    let head =
        turned(connection, &reader.tenant, find::of(fact, row::head(&found, 0)?)?, (&found, 1)).await?;
    Ok(reader.may_read(&head.scope).then_some(head))
}

/// A head with its truth of another time, from the columns that `row::turn` reads. Where that is not its last one, the
/// next one must follow it: one between them that is lost would let an older truth pass for that time's.
pub(crate) async fn turned(
    connection: &mut AnyConnection,
    tenant: &Id,
    head: Head,
    (found, at): (&AnyRow, usize),
) -> Result<Head, StoreError> {
    let turn = row::turn(head.fact, found, at)?;
    if turn.position != head.version {
        let next = sqlx::query(include_str!("sql/truth_next.sql"))
            .bind(tenant.as_str())
            .bind(head.fact.to_string())
            .bind(found.try_get::<i64, _>(at + 1)?)
            .fetch_optional(connection)
            .await?;
        let next = next.map(|next| row::turn(head.fact, &next, 0)).transpose()?;
        if next.is_none_or(|next| next.follows != turn.position) {
            return Err(StoreError::damaged("truths", turn.position, "the one after it is missing"));
        }
    }
    Ok(Head { truth: turn.truth, ..head })
}

/// The settled revision at an instant. A past that the truth has let go of is looked up among the revisions; one that
/// was forgotten holds nothing there, and nothing older comes back for it.
pub(crate) async fn settled(
    connection: &mut AnyConnection,
    tenant: &Id,
    head: &Head,
    at: Instant,
) -> Result<Option<RevisionNumber>, StoreError> {
    let Some(reign) = head.truth.reign() else { return Ok(None) };
    let begins = reign.spans().first().map(|span| span.from);
    if begins.is_some_and(|from| from <= at.valid) {
        return Ok(head.truth.settled(at.valid));
    }
    // What is settled was to come then, and nothing else was true until it began.
    if begins.is_some() && was_known(connection, tenant, head, at).await? {
        return Ok(None);
    }
    let found = sqlx::query(include_str!("sql/revision_valid_at.sql"))
        .bind(tenant.as_str())
        .bind(head.fact.to_string())
        .bind(at.known.micros())
        .bind(at.valid.micros())
        .fetch_optional(connection)
        .await?;
    let Some(found) = found else { return Ok(None) };
    let until: Option<i64> = found.try_get(1)?;
    let over = until.is_some_and(|until| until <= at.valid.micros());
    if over { Ok(None) } else { revision_number(found.try_get(0)?).map(Some) }
}

/// Whether the truth of the head was known from the valid time on. One that was let go of in between and came back was
/// not: a settlement that was taken back and made again counts from the second time.
async fn was_known(
    connection: &mut AnyConnection,
    tenant: &Id,
    head: &Head,
    at: Instant,
) -> Result<bool, StoreError> {
    if at.valid >= at.known {
        return Ok(true);
    }
    let rows = sqlx::query(include_str!("sql/truths_since.sql"))
        .bind(tenant.as_str())
        .bind(head.fact.to_string())
        .bind(at.valid.micros())
        .bind(at.known.micros())
        .fetch_all(connection)
        .await?;
    let turns = rows.iter().map(|found| row::turn(head.fact, found, 0)).collect::<Result<Vec<_>, _>>()?;
    if let Some(pair) = turns.windows(2).find(|pair| pair[1].follows != pair[0].position) {
        return Err(StoreError::damaged("truths", pair[0].position, "the one after it is missing"));
    }
    Ok(!turns.is_empty() && turns.iter().all(|turn| turn.truth == head.truth))
}

/// The state, as known then, of a revision that was true at a time before.
fn state_then(truth: &Truth, number: RevisionNumber, at: Instant) -> State {
    truth.state(number, at.known).unwrap_or(State::Superseded)
}

/// One revision with its words and all that it rests on.
pub(crate) async fn revision(
    connection: &mut AnyConnection,
    tenant: &Id,
    head: &Head,
    number: RevisionNumber,
) -> Result<Revision, StoreError> {
    let mut revision = alone(connection, tenant, head.fact, number).await?;
    for Merged { fact, revision: merged, .. } in merged::into(connection, tenant, head, number).await? {
        revision.merged_evidence.extend(merged.own_evidence().cloned());
        revision.merged.push(fact);
    }
    Ok(revision)
}

/// One revision with its words, checked against their promise, and the evidence added to it.
pub(crate) async fn alone(
    connection: &mut AnyConnection,
    tenant: &Id,
    fact: FactId,
    number: RevisionNumber,
) -> Result<Revision, StoreError> {
    let rows = sqlx::query(include_str!("sql/revision_events.sql"))
        .bind(tenant.as_str())
        .bind(fact.to_string())
        .bind(i64::from(number.get()))
        .fetch_all(&mut *connection)
        .await?;
    let mut revision: Option<Revision> = None;
    for found in &rows {
        let stored = row::event(tenant, found, 0)?;
        let is_of_it = stored.event.fact == fact && stored.event.happening.revision() == Some(number);
        if !is_of_it {
            return Err(StoreError::damaged("events", fact, "it is found under another's name"));
        }
        let words = stored.open(row::words(found, 11)?.as_ref())?;
        if words.is_none() {
            check_erased(connection, tenant, stored.event.position).await?;
        }
        if stored.event.happening.recorded().is_some() {
            revision = Some(stored.revision(words)?);
        } else if let Some(revision) = &mut revision {
            follow(revision, &stored.event, words);
        }
    }
    revision.ok_or_else(|| StoreError::damaged("events", fact, format!("revision {number} is missing")))
}

/// Words go by an erasure alone.
async fn check_erased(
    connection: &mut AnyConnection,
    tenant: &Id,
    position: Position,
) -> Result<(), StoreError> {
    let found = sqlx::query(include_str!("sql/erasure_find.sql"))
        .bind(tenant.as_str())
        .bind(position.get())
        .fetch_optional(connection)
        .await?;
    let missing = || StoreError::damaged("contents", position, "the words are missing and were not erased");
    found.map(drop).ok_or_else(missing)
}

/// What an event about a revision that is there makes of it.
fn follow(revision: &mut Revision, event: &Event, words: Option<Words>) {
    match &event.happening {
        Happening::EvidenceAdded { .. } => {
            revision.added_evidence.extend(words.into_iter().flat_map(|words| words.evidence));
        }
        Happening::Admitted { .. } => revision.admissions.push((event.recorded_at, Admission::Admitted)),
        Happening::Quarantined { .. } => {
            revision.admissions.push((event.recorded_at, Admission::Quarantined))
        }
        Happening::Created { .. }
        | Happening::Revised { .. }
        | Happening::Moved { .. }
        | Happening::Merged { .. }
        | Happening::Absorbed(_)
        | Happening::Split { .. }
        | Happening::Released { .. }
        | Happening::Retracted
        | Happening::Proposed { .. }
        | Happening::HeldBack { .. }
        | Happening::ReviewClosed { .. }
        | Happening::Settled { .. }
        | Happening::Reopened { .. }
        | Happening::Expired
        | Happening::HoldPlaced
        | Happening::HoldLifted
        | Happening::Erased { .. } => {}
    }
}

/// A revision as it was known at `known`.
pub(crate) fn seen(head: Head, revision: Revision, state: State, known: Timestamp) -> Seen {
    let admission = revision.admission(known);
    Seen { head, revision, state, admission }
}

pub(crate) fn revision_number(number: i64) -> Result<RevisionNumber, StoreError> {
    u32::try_from(number)
        .ok()
        .and_then(RevisionNumber::new)
        .ok_or_else(|| StoreError::damaged("revisions", number, "it is no revision number"))
}

pub(crate) fn state(name: &str) -> Result<State, StoreError> {
    State::parse(name).ok_or_else(|| StoreError::damaged("revisions", "state", "it is no state"))
}
