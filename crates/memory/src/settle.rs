//! What waits for owners, and what they decide about it.

use fact::{
    Case, ConflictId, Draft, FactId, Head, Proposal, RequestKey, ReviewId, RevisionNumber, Text, limits,
};
use ledger::Sought;
use reconcile::{Settlement, Verdict};
use serde_json::json;

use crate::act::{DECISIONS_MAX, moment};
use crate::{Caller, Memory, MemoryError, Receipt};

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
        let ruling = self.screened(ruling)?;
        let note = self.said("note", note)?;
        let meaning = json!({
            "conflict": conflict, "version": version, "ruling": ruling.to_json(), "note": note,
        });
        let mut asked = self.asked(caller, key, "settle", &meaning)?;
        if let Ruling::Reword(draft) = &ruling {
            asked.derived_from = Some(draft.provenance.derived_from.clone());
        }
        if let Some(receipt) = self.replayed(&asked).await? {
            return Ok(receipt);
        }
        let note = note.map(|note| Text::parse("note", &note, limits::NOTE_CHARS_MAX)).transpose()?;
        let fact = self.fact_of_conflict(caller, conflict).await?;
        for _ in 0..DECISIONS_MAX {
            let case = self.case_to_write(caller, fact).await?;
            let settlement = self.settlement(caller, &case, &ruling).await?;
            let verdict = Verdict { conflict, version, settlement, note: note.clone() };
            let now = self.now(caller.tenant()).await?;
            let sources = self.least_trust(&asked, Some(&case)).await?;
            let decision = reconcile::settle(&case, &verdict, &moment(caller, now, sources))?;
            if let Some(receipt) = self.record(&asked, now, decision).await? {
                return Ok(receipt);
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
        let asked = self.asked(caller, key, "reopen", &json!({ "conflict": conflict }))?;
        let sought = async { Ok(Sought::Fact(self.fact_of_conflict(caller, conflict).await?)) };
        self.act_on(asked, sought, |case, moment| reconcile::reopen(case, conflict, moment)).await
    }

    /// Takes a proposal that waits back up: it becomes the truth.
    pub async fn accept(
        &self,
        caller: &Caller,
        key: Option<RequestKey>,
        review: ReviewId,
    ) -> Result<Receipt, MemoryError> {
        let asked = self.asked(caller, key, "accept", &json!({ "review": review }))?;
        let proposed = self.proposed(caller, review);
        self.act_on(asked, proposed, |case, moment| reconcile::accept(case, review, moment)).await
    }

    /// Dismisses a proposal that waits for good: whoever makes it again is not asked about.
    pub async fn dismiss(
        &self,
        caller: &Caller,
        key: Option<RequestKey>,
        review: ReviewId,
    ) -> Result<Receipt, MemoryError> {
        let asked = self.asked(caller, key, "dismiss", &json!({ "review": review }))?;
        let proposed = self.proposed(caller, review);
        self.act_on(asked, proposed, |case, moment| reconcile::dismiss(case, review, moment)).await
    }

    async fn fact_of_conflict(&self, caller: &Caller, conflict: ConflictId) -> Result<FactId, MemoryError> {
        let fact = self.ledger.fact_of_conflict(&caller.reader, conflict).await?;
        fact.ok_or(MemoryError::NoSuchConflict)
    }

    /// The fact of which something waits, be that approved or not.
    async fn proposed(&self, caller: &Caller, review: ReviewId) -> Result<Sought, MemoryError> {
        let fact = self.ledger.fact_of_review(&caller.reader, review).await?;
        fact.map(Sought::Proposed).ok_or(MemoryError::NoSuchReview)
    }

    /// The ruling without the secrets in its wording, or a refusal.
    fn screened(&self, ruling: Ruling) -> Result<Ruling, MemoryError> {
        Ok(match ruling {
            Ruling::Reword(draft) => Ruling::Reword(Box::new(self.screen.draft(*draft)?)),
            Ruling::Keep(_) | Ruling::Both { .. } => ruling,
        })
    }

    /// The ruling as the rules take it.
    async fn settlement(
        &self,
        caller: &Caller,
        case: &Case,
        ruling: &Ruling,
    ) -> Result<Settlement, MemoryError> {
        Ok(match ruling {
            Ruling::Keep(side) => Settlement::Keep(*side),
            Ruling::Reword(draft) => {
                let now = self.now(caller.tenant()).await?;
                let draft = Draft { fact: Some(case.head.fact), ..Draft::clone(draft) };
                Settlement::Reword(Box::new(Proposal::parse(draft, caller.tenant(), now)?))
            }
            Ruling::Both { keep, apart } => {
                let said = self.said_elsewhere(caller, case, *apart).await?.map(Box::new);
                Settlement::Both { keep: *keep, apart: *apart, said }
            }
        })
    }

    /// Another fact that says what a side says. What is no side is refused by the rules, after all that comes before it.
    async fn said_elsewhere(
        &self,
        caller: &Caller,
        case: &Case,
        side: RevisionNumber,
    ) -> Result<Option<Head>, MemoryError> {
        let Some(content) = case.revision(side).and_then(|side| side.content()) else { return Ok(None) };
        let statement = reconcile::made(&case.head.kind, &case.head.scope, content);
        Ok(self.ledger.said_elsewhere(caller.tenant(), &statement, case.head.fact).await?)
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
