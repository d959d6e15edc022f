//! Answers that are kept: a request has a name that never means two things, and is answered again.

use fact::Change;
use ledger::{Record, RecordError, Recorded, Request, StoreError};
use serde::de::DeserializeOwned;

use crate::act::Asked;
use crate::{Memory, MemoryError, fresh};

impl Memory {
    /// The answer to a request that was answered before. One of that name which meant something else is refused.
    pub(crate) async fn answered(&self, asked: &Asked<'_>) -> Result<Option<String>, MemoryError> {
        Ok(self.ledger.answered(asked.caller.tenant(), &asked.key, &asked.meaning).await?)
    }

    /// Keeps the answer to a request of several steps, or the name of one whose steps are answered by themselves. Gives
    /// what was kept before, where it was.
    pub(crate) async fn answer_once(
        &self,
        asked: &Asked<'_>,
        answer: &str,
    ) -> Result<Option<String>, MemoryError> {
        let (key, meaning) = (asked.key.clone(), asked.meaning.clone());
        let record = Record {
            tenant: asked.caller.tenant().clone(),
            actor: asked.caller.actor.clone(),
            now: self.now(asked.caller.tenant()).await?,
            entropy: fresh::entropy()?,
            change: Change { grounds: Vec::new(), events: Vec::new() },
            request: Some(Request { key, meaning, answer: answer.to_owned() }),
            lease: None,
        };
        match self.ledger.record(record).await {
            Ok(Recorded::Replayed { answer }) => Ok(Some(answer)),
            Ok(Recorded::Appended { .. }) => Ok(None),
            // It rests on nothing that could have changed.
            Err(RecordError::Stale) => Err(MemoryError::Contention),
            Err(error) => Err(error.into()),
        }
    }
}

/// An answer that was kept.
pub(crate) fn read<T: DeserializeOwned>(answer: &str) -> Result<T, MemoryError> {
    let read = serde_json::from_str(answer).map_err(|_| StoreError::Damaged {
        table: "requests",
        row: "answer".to_owned(),
        problem: "it cannot be read".to_owned(),
    });
    Ok(read?)
}
