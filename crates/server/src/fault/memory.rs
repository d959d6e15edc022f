//! The status and the code of each thing that a memory refuses.

use axum::http::StatusCode;
use truthkeeper::{EmbedError, EraseError, MemoryError, Refusal, StoreError, TransferError};

use super::Fault;

impl From<MemoryError> for Fault {
    fn from(error: MemoryError) -> Self {
        Self::of(&error)
    }
}

impl Fault {
    /// What a memory refused.
    pub(crate) fn of(error: &MemoryError) -> Self {
        let fault = of_memory(error);
        let cause = fault.status.is_server_error().then(|| error.to_string());
        Self { cause, ..fault }
    }
}

fn of_memory(error: &MemoryError) -> Fault {
    let plain = |status, code| Fault::new(status, code, error.to_string());
    match error {
        MemoryError::BadInput(bad) => bad.clone().into(),
        MemoryError::Secret(_) => plain(StatusCode::BAD_REQUEST, "secret-refused"),
        MemoryError::NotFound | MemoryError::NotCurrent { .. } => {
            plain(StatusCode::NOT_FOUND, "fact-not-found")
        }
        MemoryError::AwaitingReconciliation => plain(StatusCode::CONFLICT, "awaiting-reconciliation"),
        MemoryError::LegacyDamaged { .. } => damaged(),
        MemoryError::NoSuchAdoption => plain(StatusCode::NOT_FOUND, "adoption-not-found"),
        MemoryError::NoSuchConflict => plain(StatusCode::NOT_FOUND, "conflict-not-found"),
        MemoryError::NoSuchReview => plain(StatusCode::NOT_FOUND, "review-not-found"),
        MemoryError::NoSuchReceipt => plain(StatusCode::NOT_FOUND, "receipt-not-found"),
        MemoryError::NoSuchKey => plain(StatusCode::NOT_FOUND, "key-not-found"),
        MemoryError::BadKey => plain(StatusCode::UNAUTHORIZED, "unauthenticated"),
        MemoryError::NotPermitted => plain(StatusCode::FORBIDDEN, "permission-denied"),
        MemoryError::Refused(refusal) => of_refusal(refusal),
        MemoryError::KeyReused => plain(StatusCode::CONFLICT, "idempotency-conflict"),
        MemoryError::KeyTaken { .. } => plain(StatusCode::CONFLICT, "key-taken"),
        MemoryError::QueryForgotten => plain(StatusCode::CONFLICT, "query-forgotten"),
        MemoryError::AdoptionRolledBack { .. } => plain(StatusCode::CONFLICT, "adoption-rolled-back"),
        MemoryError::Adoption(_) | MemoryError::Source(_) => plain(StatusCode::CONFLICT, "adoption-failed"),
        MemoryError::Contention => plain(StatusCode::SERVICE_UNAVAILABLE, "contention"),
        MemoryError::RunLacks(what) => plain(StatusCode::UNPROCESSABLE_ENTITY, what.name()),
        MemoryError::SemanticUnavailable => plain(StatusCode::UNPROCESSABLE_ENTITY, "semantic-unavailable"),
        MemoryError::Embedder(EmbedError::NotConfigured(_)) => {
            plain(StatusCode::UNPROCESSABLE_ENTITY, "semantic-unavailable")
        }
        MemoryError::Embedder(_) => plain(StatusCode::BAD_GATEWAY, "embedder-failed"),
        MemoryError::Intent { error: inner, .. } => Fault { message: error.to_string(), ..of_memory(inner) },
        MemoryError::Erase(EraseError::Store(store)) => of_store(store),
        MemoryError::Transfer(TransferError::Store(store)) | MemoryError::Store(store) => of_store(store),
        MemoryError::Erase(_) | MemoryError::Transfer(_) | MemoryError::Open(_) => internal(),
        MemoryError::Index(_) | MemoryError::IndexPaused { .. } => {
            unavailable("index-unreachable", "the search index does not answer")
        }
        MemoryError::Forbidden(_) | MemoryError::NoRandomness(_) => internal(),
    }
}

fn of_refusal(refusal: &Refusal) -> Fault {
    let conflict = |code| Fault::new(StatusCode::CONFLICT, code, refusal.to_string());
    match refusal {
        Refusal::BadInput(bad) => bad.clone().into(),
        Refusal::Changed { current } => Fault { current_version: *current, ..conflict("fact-changed") },
        Refusal::ConflictChanged { version } => {
            Fault { conflict_version: *version, ..conflict("conflict-changed") }
        }
        Refusal::LegalHold => conflict("legal-hold"),
        Refusal::NotPermitted { .. } => {
            Fault::new(StatusCode::FORBIDDEN, "permission-denied", refusal.to_string())
        }
        Refusal::NotCurrent | Refusal::Merged { .. } => {
            Fault::new(StatusCode::NOT_FOUND, "fact-not-found", refusal.to_string())
        }
        Refusal::Contested { .. } => conflict("contested"),
        Refusal::ConflictFull => conflict("conflict-full"),
        Refusal::NotMerged => conflict("not-merged"),
        Refusal::Taken { .. } => conflict("taken"),
        Refusal::NotReopenable => conflict("not-reopenable"),
        Refusal::NotWaiting => conflict("not-waiting"),
        Refusal::NotLatest => conflict("not-latest"),
        Refusal::StillCurrent => conflict("still-current"),
    }
}

/// What a store says of itself names files and machines: it goes to the log, and the caller learns the kind.
fn of_store(error: &StoreError) -> Fault {
    match error {
        StoreError::Busy => unavailable("store-busy", "another process keeps the store; try again"),
        StoreError::Unreachable(_) | StoreError::Closed => {
            unavailable("store-unreachable", "the store does not answer")
        }
        StoreError::Unconfirmed(_) => unavailable(
            "commit-unconfirmed",
            "it is not known whether it was recorded: repeat it with the same Idempotency-Key",
        ),
        StoreError::Full => Fault::new(StatusCode::INSUFFICIENT_STORAGE, "storage-full", "the store is full"),
        StoreError::Damaged { .. } => damaged(),
        StoreError::Refused(_) => internal(),
    }
}

fn damaged() -> Fault {
    let message = "the store is damaged: its operator is to check it";
    Fault::new(StatusCode::INTERNAL_SERVER_ERROR, "store-damaged", message)
}

fn unavailable(code: &'static str, message: &'static str) -> Fault {
    Fault::new(StatusCode::SERVICE_UNAVAILABLE, code, message)
}

fn internal() -> Fault {
    Fault::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "it failed here; the log says why")
}
