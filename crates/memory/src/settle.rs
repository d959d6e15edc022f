//! What waits for owners, and what they decide about it.

use fact::{
    Case, ConflictId, Draft, FactId, Proposal, RequestKey, ReviewId, RevisionNumber, Statement, Text, limits,
};
use ledger::Sought;
use reconcile::{Settlement, Verdict};
use serde_json::json;

use crate::act::asked;
use crate::{Caller, Memory, MemoryError, Receipt};

/// How often it is looked anew whether another fact says the side that is to become one.
const LOOKS_MAX: u32 = 5;

/// What is true, as an owner says it.
#[derive(Debug, Clone, PartialEq)]
pub enum Ruling {
    /// This side.
    Keep(RevisionNumber),
    /// Neither, but this: a content, and what else a draft says. Type, scope and key are the fact's.
    Reword(Box<Draft>),
    /// Both: `keep` goes on, and `apart` becomes a fact of its own, without a key.
    Both {
        /// The side that goes on.
        keep: RevisionNumber,
        /// The side that becomes a fact of its own.
        apart: RevisionNumber,
    },
}

impl Memory {
    /// A conflict, with what its sides say: open, or settled last.
    pub async fn conflict(&self, caller: &Caller, conflict: ConflictId) -> Result<Case, MemoryError> {
        let now = self.now(caller.tenant()).await?;
        let fact = self.fact_of_conflict(caller, conflict).await?;
        self.audit(caller, "conflict", Some(fact), now).await;
        let case = self.ledger.case(&caller.reader, &Sought::Fact(fact)).await?;
        case.ok_or(MemoryError::NoSuchConflict)
    }

    /// Settles a conflict: its owner only, and only as it was when the owner saw it, by its version. The note has at
    /// most 500 characters.
    pub async fn settle(
        &self,
        caller: &Caller,
        key: Option<RequestKey>,
        (conflict, version): (ConflictId, u32),
        ruling: Ruling,
        note: Option<&str>,
    ) -> Result<Receipt, MemoryError> {
        let meaning = json!({
            "conflict": conflict, "version": version, "ruling": ruling.to_json(), "note": note,
        });
        let mut asked = asked(caller, key, "settle", &meaning)?;
        if let Ruling::Reword(draft) = &ruling {
            asked.derived_from = Some(draft.provenance.derived_from.clone());
        }
        if let Some(receipt) = self.replayed(&asked).await? {
            return Ok(receipt);
        }
        let note = note.map(|note| Text::parse("note", note, limits::NOTE_CHARS_MAX)).transpose()?;
        let fact = self.fact_of_conflict(caller, conflict).await?;
        for _ in 0..LOOKS_MAX {
            let settlement = self.settlement(caller, fact, &ruling).await?;
            let verdict = Verdict { conflict, version, settlement, note: note.clone() };
            let rule =
                |case: &Case, moment: &reconcile::Moment<'_>| reconcile::settle(case, &verdict, moment);
            match self.change_fact(asked.clone(), fact, rule).await {
                Err(MemoryError::Contention) => {}
                settled => return settled,
            }
        }
        Err(MemoryError::Contention)
    }

    /// Opens a conflict again that was settled last, as long as the fact did not change since.
    pub async fn reopen(
        &self,
        caller: &Caller,
        key: Option<RequestKey>,
        conflict: ConflictId,
    ) -> Result<Receipt, MemoryError> {
        let asked = asked(caller, key, "reopen", &json!({ "conflict": conflict }))?;
        let fact = self.fact_of_conflict(caller, conflict);
        self.act_on(asked, fact, |case, moment| reconcile::reopen(case, conflict, moment)).await
    }

    /// Takes a proposal that waits back up: it becomes the truth.
    pub async fn accept(
        &self,
        caller: &Caller,
        key: Option<RequestKey>,
        review: ReviewId,
    ) -> Result<Receipt, MemoryError> {
        let asked = asked(caller, key, "accept", &json!({ "review": review }))?;
        let fact = self.fact_of_review(caller, review);
        self.act_on(asked, fact, |case, moment| reconcile::accept(case, review, moment)).await
    }

    /// Dismisses a proposal that waits for good: whoever makes it again is not asked about.
    pub async fn dismiss(
        &self,
        caller: &Caller,
        key: Option<RequestKey>,
        review: ReviewId,
    ) -> Result<Receipt, MemoryError> {
        let asked = asked(caller, key, "dismiss", &json!({ "review": review }))?;
        let fact = self.fact_of_review(caller, review);
        self.act_on(asked, fact, |case, moment| reconcile::dismiss(case, review, moment)).await
    }

    async fn fact_of_conflict(&self, caller: &Caller, conflict: ConflictId) -> Result<FactId, MemoryError> {
        let fact = self.ledger.fact_of_conflict(&caller.reader, conflict).await?;
        fact.ok_or(MemoryError::NoSuchConflict)
    }

    async fn fact_of_review(&self, caller: &Caller, review: ReviewId) -> Result<FactId, MemoryError> {
        let fact = self.ledger.fact_of_review(&caller.reader, review).await?;
        fact.ok_or(MemoryError::NoSuchReview)
    }

    /// The ruling as the rules take it.
    async fn settlement(
        &self,
        caller: &Caller,
        fact: FactId,
        ruling: &Ruling,
    ) -> Result<Settlement, MemoryError> {
        Ok(match ruling {
            Ruling::Keep(side) => Settlement::Keep(*side),
            Ruling::Reword(draft) => {
                let now = self.now(caller.tenant()).await?;
                let draft = Draft { fact: Some(fact), ..Draft::clone(draft) };
                Settlement::Reword(Box::new(Proposal::parse(draft, caller.tenant(), now)?))
            }
            Ruling::Both { keep, apart } => {
                let said = self.is_said_elsewhere(caller, fact, *apart).await?;
                Settlement::Both { keep: *keep, apart: *apart, said }
            }
        })
    }

    async fn is_said_elsewhere(
        &self,
        caller: &Caller,
        fact: FactId,
        side: RevisionNumber,
    ) -> Result<bool, MemoryError> {
        let case = self.ledger.case(&caller.reader, &Sought::Fact(fact)).await?;
        let case = case.ok_or(MemoryError::NotFound)?;
        // What is no side is refused by the rules, after all that comes before it.
        let Some(content) = case.revision(side).and_then(|side| side.content()) else { return Ok(false) };
        let statement = Statement {
            kind: case.head.kind.clone(),
            scope: case.head.scope.clone(),
            statement: Text::stored(content.statement()),
        };
        Ok(self.ledger.is_said_elsewhere(caller.tenant(), &statement, fact).await?)
    }
}

impl Ruling {
    /// What makes two requests the same.
    fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Keep(side) => json!({ "keep": side }),
            Self::Reword(draft) => json!({ "reword": draft.to_json() }),
            Self::Both { keep, apart } => json!({ "keep": keep, "apart": apart }),
        }
    }
}
