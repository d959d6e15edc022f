//! Keys of the API: made, shown without their secrets, revoked, and what one of them opens.

use fact::{Actor, Bounds, Id, Key, KeyId, KeyToken};

use crate::{Caller, Memory, MemoryError, fresh};

/// A key that is made: what it is for, as whom it acts, and what it opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewKey {
    /// What it is for.
    pub label: String,
    /// As whom it acts. What is said with it is said by that one.
    pub actor: Actor,
    /// What it may do, and where.
    pub bounds: Bounds,
}

impl Memory {
    /// Makes a key. Its token is given here and never again: only a hash of its secret is kept.
    pub async fn create_key(&self, tenant: &Id, new: NewKey) -> Result<(Key, KeyToken), MemoryError> {
        let NewKey { label, actor, bounds } = new;
        let label = self.screen.text("label", &label)?;
        let token = fresh::key_token()?;
        let key = Key {
            id: token.id().clone(),
            tenant: tenant.clone(),
            label: Key::label(&label)?,
            actor,
            bounds: bounds.check(tenant)?,
            created_at: self.now(tenant).await?,
            revoked_at: None,
        };
        self.ledger.add_key(key.clone(), token.digest()).await?;
        Ok((key, token))
    }

    /// The keys of a tenant, oldest first, those that are revoked among them.
    pub async fn keys(&self, tenant: &Id) -> Result<Vec<Key>, MemoryError> {
        Ok(self.ledger.keys(tenant).await?)
    }

    /// Lets a key open nothing any more, from now on.
    pub async fn revoke_key(&self, tenant: &Id, id: &KeyId) -> Result<(), MemoryError> {
        match self.ledger.revoke_key(tenant.clone(), id.clone(), self.now(tenant).await?).await? {
            true => Ok(()),
            false => Err(MemoryError::NoSuchKey),
        }
    }

    /// The key that a token is. One that is malformed, unknown or revoked is refused in the same words.
    pub async fn key_of(&self, token: &str) -> Result<Key, MemoryError> {
        let token = KeyToken::parse(token).ok_or(MemoryError::BadKey)?;
        let key = self.ledger.key(&token).await?;
        key.filter(|key| key.revoked_at.is_none()).ok_or(MemoryError::BadKey)
    }
}

impl From<&Key> for Caller {
    /// Whoever holds the key.
    fn from(key: &Key) -> Self {
        Self { reader: key.reader(), writer: key.writer(), actor: key.actor.clone() }
    }
}
