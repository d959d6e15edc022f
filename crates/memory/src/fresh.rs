//! Fresh ids and randomness, which come in here and are arguments everywhere below.

use fact::{ConflictId, FactId, KeyToken, ReceiptId, RequestKey, ReviewId};
use reconcile::Fresh;
use uuid::Uuid;

use crate::MemoryError;

/// Ids that nothing has yet.
pub(crate) fn ids() -> Fresh {
    Fresh {
        fact: FactId::new(Uuid::now_v7()),
        conflict: ConflictId::new(Uuid::now_v7()),
        review: ReviewId::new(Uuid::now_v7()),
    }
}

/// A receipt that nothing has yet.
pub(crate) fn receipt() -> ReceiptId {
    ReceiptId::new(Uuid::now_v7())
}

/// A request key that nobody has used.
pub(crate) fn request_key() -> Result<RequestKey, MemoryError> {
    Ok(RequestKey::parse(&Uuid::now_v7().to_string())?)
}

/// A name for this process that no other has.
pub(crate) fn holder() -> String {
    Uuid::now_v7().to_string()
}

/// A key that nobody has.
pub(crate) fn key_token() -> Result<KeyToken, MemoryError> {
    Ok(KeyToken::new(random()?, random()?))
}

/// Randomness for salts.
pub(crate) fn entropy() -> Result<[u8; 32], MemoryError> {
    random()
}

fn random<const BYTES: usize>() -> Result<[u8; BYTES], MemoryError> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| MemoryError::NoRandomness(error.to_string()))?;
    Ok(bytes)
}
