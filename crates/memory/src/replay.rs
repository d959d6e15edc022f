//! Asking again what a receipt is of, as of then, and saying whether the answer is the same.

use fact::{ReceiptId, Timestamp};
use recall::Recalled;

use crate::receipts::shown;
use crate::{Caller, Memory, MemoryError, Question, Recall, RecallReceipt, Shown, Times};

/// What asking again came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// What was shown then, by the receipt.
    pub then: Vec<Shown>,
    /// What is found now for the same question as of then.
    pub again: Vec<Shown>,
    /// The model by which meanings were compared now.
    pub model: Option<String>,
    /// Memories from before the ledger that were shown then, which are not asked for again.
    pub legacy: usize,
}

impl Replay {
    /// Whether the same versions come in the same order.
    pub fn is_same(&self) -> bool {
        let named =
            |shown: &[Shown]| -> Vec<_> { shown.iter().map(|one| (one.fact, one.revision)).collect() };
        named(&self.then) == named(&self.again)
    }
}

impl Memory {
    /// Asks again what a receipt is of, as of then: from the ledger, never from the receipt. What was erased since does
    /// not come again; what moved to another scope since is found there; and what the search index did not show then,
    /// or what was recorded while the recall was made, makes another answer.
    pub async fn replay(&self, caller: &Caller, receipt: ReceiptId) -> Result<Replay, MemoryError> {
        let RecallReceipt { recalled_at, query, given, .. } = self.receipt(caller, receipt).await?;
        let now = self.now(caller.tenant()).await?;
        let mut answers = Vec::with_capacity(given.questions.len());
        for question in &given.questions {
            let recall =
                asked_again(question, query.as_ref().map(|query| query.as_str()), given.known, recalled_at)
                    .ok_or(MemoryError::QueryForgotten)?;
            let caller = Caller { reader: question.reader.clone(), ..caller.clone() };
            answers.push(self.recall_then(&caller, &recall, now).await?);
        }
        let again = Recalled::joined(answers, Vec::new());
        let legacy = given.legacy.len();
        Ok(Replay { then: given.shown, again: shown(&again), model: again.model, legacy })
    }
}

/// The question as of when it was asked; none where its query is forgotten.
fn asked_again(
    question: &Question,
    query: Option<&str>,
    known: Timestamp,
    recalled_at: Timestamp,
) -> Option<Recall> {
    let recall = match question.mode {
        crate::Mode::List => Recall::newest(),
        crate::Mode::Keyword | crate::Mode::Semantic | crate::Mode::Both => {
            Recall::query(query?).mode(question.mode)
        }
    };
    let known = question.times.as_of.unwrap_or(known);
    let valid = match question.times {
        Times { valid_at: Some(valid), .. } => valid,
        Times { as_of: Some(known), valid_at: None } => known,
        Times { as_of: None, valid_at: None } => recalled_at,
    };
    let times = Times { as_of: Some(known), valid_at: Some(valid) };
    let recall = recall.kinds(question.types.clone()).limit(question.limit).times(times);
    Some(recall.fusion(question.fusion).sources(question.sources).floor(question.floor))
}
