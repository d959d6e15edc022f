//! What a change came to, as it is said on the next page.

use truthkeeper::{Outcome, Receipt};

/// What was done, in a sentence.
pub(crate) fn told(receipt: &Receipt) -> String {
    let words = of(receipt.outcome);
    match receipt.searchable {
        true => words.to_owned(),
        false => format!("{words} The search index will know in a while."),
    }
}

fn of(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Created => "It is remembered.",
        Outcome::Superseded => "It is changed; what it said before stays in its history.",
        Outcome::Unchanged => "Nothing changed: it stood like that already.",
        Outcome::EvidenceAdded => "It said that already; what it rests on is added.",
        Outcome::History => "It is in the history: it was observed before what stands.",
        Outcome::ConflictOpened { .. } => "It contradicts what stands: a conflict waits for its owner.",
        Outcome::ConflictJoined { .. } => "It is in conflict: this is one more version to choose from.",
        Outcome::HeldBack { .. } => "It was forgotten before: it waits for its owner.",
        Outcome::Dismissed { .. } => "It is dismissed, for good.",
        Outcome::Accepted { .. } => "It is true from now on.",
        Outcome::Settled { quarantined: false, .. } => "The conflict is settled.",
        Outcome::Settled { quarantined: true, .. } => {
            "The conflict is settled. What you kept is quarantined: it stays out of recall until an operator admits it."
        }
        Outcome::Reopened { .. } => "The conflict is open again.",
        Outcome::Expired => "Its time is over.",
        Outcome::Verified => "It is verified: you vouch for it.",
        Outcome::Retracted => "It is forgotten. No recall shows it any more.",
        Outcome::Restored => "It is back, current from now.",
        Outcome::Moved => "It is moved.",
        Outcome::Merged { .. } => "They are one fact now.",
        Outcome::Split { .. } => "They are two facts.",
        Outcome::Admitted => "It may be recalled.",
        Outcome::Quarantined => "It stays out of recall until an operator admits it.",
        Outcome::HoldPlaced => "It is under legal hold: nobody can change or forget it.",
        Outcome::HoldLifted => "The legal hold is lifted.",
    }
}
