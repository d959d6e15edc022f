//! Moving facts to another scope, and forgetting several by their ids.

use std::collections::BTreeSet;

use fact::{BadInput, Case, FactId, RequestKey, Scope, limits};
use reconcile::{Destination, Place, Refusal};
use serde_json::{Value, json};

use crate::act::{Asked, DECISIONS_MAX, check_write, moment};
use crate::{Caller, Memory, MemoryError, Named, Receipt};

/// A key for several facts, in characters: each of them has a number behind it.
const KEY_CHARS_MAX: usize = limits::ID_CHARS_MAX - ".50".len();

/// What a request for several facts came to for one of them.
#[derive(Debug)]
pub struct Each {
    /// The fact.
    pub fact: FactId,
    /// Its receipt, or why nothing changed about it.
    pub outcome: Result<Receipt, MemoryError>,
}

/// What it came to, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fate {
    /// It is done.
    Succeeded,
    /// There is no such fact for the caller, or nothing of it is current.
    NotFound,
    /// It is from before the ledger, and waits for its owner's review.
    Awaiting,
    /// It is not as the caller saw it.
    Stale,
    /// It was refused, or did not work.
    Failed,
}

impl Each {
    /// What it came to, in a word.
    pub fn fate(&self) -> Fate {
        match &self.outcome {
            Ok(_) => Fate::Succeeded,
            Err(
                MemoryError::NotFound | MemoryError::Refused(Refusal::NotCurrent | Refusal::Merged { .. }),
            ) => Fate::NotFound,
            Err(MemoryError::AwaitingReconciliation) => Fate::Awaiting,
            Err(MemoryError::Refused(Refusal::Changed { .. })) => Fate::Stale,
            Err(_) => Fate::Failed,
        }
    }
}

impl Memory {
    /// Moves a fact to another scope that the caller may write, its history with it. Its owner only.
    pub async fn move_fact(
        &self,
        caller: &Caller,
        key: Option<RequestKey>,
        (fact, expected): Named,
        to: &Scope,
    ) -> Result<Receipt, MemoryError> {
        let meaning = json!({ "fact": fact, "expectVersion": expected, "to": to });
        self.relocate(self.asked(caller, key, "move", &meaning)?, caller, (fact, expected), to).await
    }

    async fn relocate(
        &self,
        asked: Asked<'_>,
        caller: &Caller,
        (fact, expected): Named,
        to: &Scope,
    ) -> Result<Receipt, MemoryError> {
        if let Some(receipt) = self.replayed(&asked).await? {
            return Ok(receipt);
        }
        check_write(caller, to)?;
        for _ in 0..DECISIONS_MAX {
            let case = self.case_to_write(caller, fact).await?;
            let taken = self.place_taken(caller, &case, to).await?;
            let destination = Destination { scope: to.clone(), taken };
            let now = self.now(caller.tenant()).await?;
            let decision = reconcile::move_fact(&case, &destination, expected, &moment(caller, now, None))?;
            if let Some(receipt) = self.record(&asked, now, decision).await? {
                return Ok(receipt);
            }
        }
        Err(MemoryError::Contention)
    }

    /// Moves up to 50 facts, each by itself.
    pub async fn move_facts(
        &self,
        caller: &Caller,
        key: Option<&RequestKey>,
        facts: &[Named],
        to: &Scope,
    ) -> Result<Vec<Each>, MemoryError> {
        let each = each(facts, key)?;
        self.begin_several(caller, key, "move-several", &json!({ "facts": facts, "to": to })).await?;
        let mut all = Vec::with_capacity(facts.len());
        for (named, key) in each {
            let meaning = json!({ "fact": named.0, "of": facts, "to": to });
            let outcome = match self.asked(caller, key, "move", &meaning) {
                Ok(asked) => self.relocate(asked, caller, named, to).await,
                Err(error) => Err(error),
            };
            all.push(Each { fact: named.0, outcome });
        }
        Ok(all)
    }

    /// Forgets up to 50 facts, each by itself.
    pub async fn forget_facts(
        &self,
        caller: &Caller,
        key: Option<&RequestKey>,
        facts: &[Named],
        reason: Option<&str>,
    ) -> Result<Vec<Each>, MemoryError> {
        let reason = self.said("reason", reason)?;
        let reason = reason.as_deref();
        let each = each(facts, key)?;
        let meaning = json!({ "facts": facts, "reason": reason });
        self.begin_several(caller, key, "delete-several", &meaning).await?;
        let mut all = Vec::with_capacity(facts.len());
        for ((fact, expected), key) in each {
            let meaning = json!({ "fact": fact, "of": facts, "reason": reason });
            let outcome = match self.asked(caller, key, "delete", &meaning) {
                Ok(asked) => self.retract(asked, fact, expected, reason).await,
                Err(error) => Err(error),
            };
            all.push(Each { fact, outcome });
        }
        Ok(all)
    }

    /// Keeps the name of a request for several facts before the first of them: another one of that name changes nothing.
    async fn begin_several(
        &self,
        caller: &Caller,
        key: Option<&RequestKey>,
        act: &str,
        meaning: &Value,
    ) -> Result<(), MemoryError> {
        let Some(key) = key else { return Ok(()) };
        let asked = self.asked(caller, Some(key.clone()), act, meaning)?;
        self.answer_once(&asked, "null").await.map(drop)
    }

    /// Another fact that has, in that scope, what the fact would take up there.
    async fn place_taken(
        &self,
        caller: &Caller,
        case: &Case,
        to: &Scope,
    ) -> Result<Option<FactId>, MemoryError> {
        for place in reconcile::places(case, to) {
            let head = match &place {
                Place::Slot(slot) => self.ledger.in_slot(caller.tenant(), slot).await?,
                Place::Statement(statement) => {
                    self.ledger.said_elsewhere(caller.tenant(), statement, case.head.fact).await?
                }
            };
            if let Some(head) = head {
                return Ok(Some(head.fact));
            }
        }
        Ok(None)
    }
}

/// Each fact with a key of its own, so that the whole request can be sent again.
fn each(facts: &[Named], key: Option<&RequestKey>) -> Result<Vec<(Named, Option<RequestKey>)>, BadInput> {
    let most = limits::BULK_FACTS_MAX;
    let named: BTreeSet<FactId> = facts.iter().map(|(fact, _)| *fact).collect();
    if facts.is_empty() || facts.len() > most {
        return Err(BadInput::new("facts", format!("must be 1 to {most} facts")));
    }
    if named.len() < facts.len() {
        return Err(BadInput::new("facts", "must be named once each"));
    }
    if key.is_some_and(|key| key.as_str().chars().count() > KEY_CHARS_MAX) {
        let problem = format!("must have at most {KEY_CHARS_MAX} characters for several facts");
        return Err(BadInput::new("idempotencyKey", problem));
    }
    let keyed = |(place, named): (usize, &Named)| {
        let numbered = |key: &RequestKey| RequestKey::parse(&format!("{}.{}", key.as_str(), place + 1));
        Ok((*named, key.map(numbered).transpose()?))
    };
    facts.iter().enumerate().map(keyed).collect()
}
