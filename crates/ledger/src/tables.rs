//! Writing an event, its words, and the rows that follow from it.

use fact::{Event, Id, Position, Words, canonical};

use crate::batch::{Batch, Bind};
use crate::commitment::Sealed;
use crate::derive::{ConflictRow, FactRow, Put, RevisionRow, SlotMove, Step, rows};
use crate::operations::{Lease, SEARCH_COPY};
use crate::row::{self, EVENT_VERSION};

/// Appends an event; gives its digest.
pub(crate) fn append(
    batch: &mut Batch,
    tenant: &Id,
    event: &Event,
    commitment: Option<&[u8]>,
    previous: &[u8],
) -> Vec<u8> {
    let body = canonical(&event.happening);
    let actor = canonical(&event.actor);
    let fact = event.fact.to_string();
    let sealed = Sealed {
        tenant: tenant.as_str(),
        position: event.position.get(),
        fact: &fact,
        revision: event.happening.revision().map_or(0, |number| i64::from(number.get())),
        version: EVENT_VERSION,
        body: &body,
        actor: &actor,
        recorded_at: event.recorded_at.micros(),
        request: event.request.as_ref().map(|request| request.as_str()),
        commitment,
        previous,
    };
    let digest = sealed.digest();
    insert_event(batch, &sealed, &digest);
    digest
}

/// Writes an event as it is, digest included.
pub(crate) fn insert_event(batch: &mut Batch, sealed: &Sealed<'_>, digest: &[u8]) {
    let binds = vec![
        sealed.tenant.into(),
        sealed.position.into(),
        sealed.fact.into(),
        sealed.revision.into(),
        sealed.version.into(),
        sealed.body.into(),
        sealed.actor.into(),
        sealed.recorded_at.into(),
        sealed.request.map(str::to_owned).into(),
        sealed.commitment.into(),
        sealed.previous.into(),
        digest.into(),
    ];
    batch.add("events", include_str!("sql/event_add.sql"), binds);
}

/// Keeps the words of an event apart from it.
pub(crate) fn keep_words(
    batch: &mut Batch,
    tenant: &Id,
    position: Position,
    doc: &str,
    words: &Words,
    salt: &[u8],
) {
    let (body, tags) = row::columns(words);
    let name = words.key.as_ref().map_or("", |key| key.as_str());
    let binds = vec![
        tenant.as_str().into(),
        position.get().into(),
        doc.into(),
        body.into(),
        name.into(),
        tags.into(),
        salt.into(),
    ];
    batch.add("contents", include_str!("sql/content_add.sql"), binds);
}

/// Writes every row that follows from the step.
pub(crate) fn write(batch: &mut Batch, step: &Step<'_>) {
    for put in rows(step) {
        put_row(batch, put, step.tenant.as_str().to_owned());
    }
}

/// Orders the copy to be made equal to the fact as of this event: what is wanted only rises. With a lease, its holder
/// makes the first attempt, where no other is under way or has failed.
pub(crate) fn want(batch: &mut Batch, tenant: &Id, event: &Event, lease: Option<&Lease>) {
    let binds = vec![
        tenant.as_str().into(),
        SEARCH_COPY.into(),
        event.fact.to_string().into(),
        event.position.get().into(),
        lease.map_or(event.recorded_at, |lease| lease.until).micros().into(),
        lease.map(|lease| lease.holder.clone()).into(),
    ];
    batch.add("operations", include_str!("sql/operation_want.sql"), binds);
}

/// Adds the statement of one row.
fn put_row(batch: &mut Batch, put: Put, tenant: String) {
    match put {
        Put::Fact(row) => batch.add("facts", include_str!("sql/fact_add.sql"), fact(tenant, row)),
        Put::FactAdvanced { fact, before, version, head, slot, scope } => {
            let (slot, free) = moved(slot);
            let mut binds = vec![tenant.into(), fact.into(), version.into(), head.into(), before.into()];
            binds.extend([slot, free, scope.into()]);
            batch.add("facts", include_str!("sql/fact_update.sql"), binds);
        }
        Put::Access { token, fact } => {
            let binds = vec![tenant.into(), token.into(), fact.into()];
            batch.add("access", include_str!("sql/access_add.sql"), binds);
        }
        Put::AccessGone { token, fact } => {
            let binds = vec![tenant.into(), token.into(), fact.into()];
            batch.add("access", include_str!("sql/access_remove.sql"), binds);
        }
        Put::Revision(row) => {
            batch.add("revisions", include_str!("sql/revision_add.sql"), revision(tenant, row));
        }
        Put::RevisionTurned { fact, revision, state, turned_at, ended_at } => {
            let state = state.name().into();
            let binds =
                vec![tenant.into(), fact.into(), revision.into(), state, turned_at.into(), ended_at.into()];
            batch.add("revisions", include_str!("sql/revision_turn.sql"), binds);
        }
        Put::RevisionUnsaid { fact, revision } => {
            let binds = vec![tenant.into(), fact.into(), revision.into()];
            batch.add("revisions", include_str!("sql/revision_unsay.sql"), binds);
        }
        Put::RevisionSettled { fact, revision, settled_at } => {
            let binds = vec![tenant.into(), fact.into(), revision.into(), settled_at.into()];
            batch.add("revisions", include_str!("sql/revision_settle.sql"), binds);
        }
        Put::RevisionLost { fact, revision, from } => {
            let binds = vec![tenant.into(), fact.into(), revision.into(), from.into()];
            batch.add("revisions", include_str!("sql/revision_lose.sql"), binds);
        }
        Put::RevisionUnsettled { fact, revision, since } => {
            let binds = vec![tenant.into(), fact.into(), revision.into(), since.into()];
            batch.add("revisions", include_str!("sql/revision_unsettle.sql"), binds);
        }
        Put::Truth { fact, recorded_at, position, truth } => {
            let binds = vec![tenant.into(), fact.into(), recorded_at.into(), position.into(), truth.into()];
            batch.add("truths", include_str!("sql/truth_add.sql"), binds);
        }
        Put::Conflict(row) => {
            batch.add("conflicts", include_str!("sql/conflict_put.sql"), conflict(tenant, row))
        }
        Put::ConflictClosed { conflict, closed } => {
            let binds = vec![tenant.into(), conflict.into(), closed.into()];
            batch.add("conflicts", include_str!("sql/conflict_close.sql"), binds);
        }
        Put::Review { review, fact, position, cause } => {
            let binds = vec![tenant.into(), review.into(), fact.into(), position.into(), cause.into()];
            batch.add("reviews", include_str!("sql/review_add.sql"), binds);
        }
        Put::ReviewClosed { review, closed } => {
            let binds = vec![tenant.into(), review.into(), closed.into()];
            batch.add("reviews", include_str!("sql/review_close.sql"), binds);
        }
        Put::Erasure { position, erased_by } => {
            let binds = vec![tenant.into(), position.into(), erased_by.into()];
            batch.add("erasures", include_str!("sql/erasure_add.sql"), binds);
        }
    }
}

fn moved(slot: SlotMove) -> (Bind, Bind) {
    match slot {
        SlotMove::Stays => (None::<String>.into(), 0.into()),
        SlotMove::Is(slot) => (Some(slot).into(), 0.into()),
        SlotMove::Free => (None::<String>.into(), 1.into()),
    }
}

fn fact(tenant: String, row: FactRow) -> Vec<Bind> {
    let FactRow { fact, kind, scope, slot, created, version, head } = row;
    vec![
        tenant.into(),
        fact.into(),
        kind.into(),
        scope.into(),
        slot.into(),
        created.into(),
        version.into(),
        head.into(),
    ]
}

fn revision(tenant: String, row: RevisionRow) -> Vec<Bind> {
    vec![
        tenant.into(),
        row.fact.into(),
        row.revision.into(),
        row.position.into(),
        row.recorded_at.into(),
        row.state.name().into(),
        row.turned_at.into(),
        row.ended_at.into(),
        row.settled_at.into(),
        row.valid_from.into(),
        row.valid_until.into(),
        row.statement.into(),
        row.says.into(),
    ]
}

fn conflict(tenant: String, row: ConflictRow) -> Vec<Bind> {
    vec![
        tenant.into(),
        row.conflict.into(),
        row.fact.into(),
        row.anchor.into(),
        row.people.into(),
        row.opened.into(),
        row.opened_at.into(),
        row.version.into(),
    ]
}
