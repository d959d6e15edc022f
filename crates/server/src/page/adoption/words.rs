//! What an audit and its review say, in the words of the page.

use axum::http::StatusCode;
use truthkeeper::{
    Action, Adoption, AdoptionError, Flag, GroupKind, MemoryError, NotSealable, StepOutcome, Uncertainty,
};

use super::pages;
use crate::fault::Fault;

/// What the rows of a group have in common.
pub(super) fn kind(kind: GroupKind) -> &'static str {
    match kind {
        GroupKind::MalformedProvenance => "It is not clear whose, or where from",
        GroupKind::PossibleContradictions => "May contradict each other, or what is remembered",
        GroupKind::LikelyDuplicates => "Say the same",
        GroupKind::Fragments => "Parts of one statement",
        GroupKind::Lapsed => "Their time may be over",
        GroupKind::RelatedEpisodes => "Records of what happened",
        GroupKind::Plain => "Nothing remarkable",
    }
}

/// A fragment as the beginning of a sentence.
pub(super) fn sentence(fragment: &str) -> String {
    let mut chars = fragment.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// What is proposed.
pub(super) fn action(action: Action) -> &'static str {
    match action {
        Action::DecideEach => "look at each, and decide it",
        Action::AdoptKeeper => "make a fact of one, which cites the others",
        Action::AdoptWhole => "make one fact of what they say together",
        Action::RejectOrRenew => "reject them, or say what still holds in new words or times",
        Action::KeepEach => "keep each as a record of what happened",
        Action::AdoptEach => "make a fact of each",
    }
}

/// What approving a whole group does.
pub(super) fn approving(action: Action) -> &'static str {
    match action {
        Action::AdoptKeeper => "Approve: the one that is marked becomes a fact, and cites the others",
        Action::AdoptWhole => "Approve: one fact of what they say together",
        Action::KeepEach => "Approve: each is kept as a record, never as current truth",
        Action::DecideEach | Action::RejectOrRenew | Action::AdoptEach => "Approve: each becomes a fact",
    }
}

pub(super) fn uncertainty(uncertainty: Uncertainty) -> &'static str {
    match uncertainty {
        Uncertainty::Low => "hardly a doubt",
        Uncertainty::Medium => "worth a glance",
        Uncertainty::High => "only you can tell",
    }
}

/// What is remarkable about a row.
pub(super) fn flag(flag: Flag) -> &'static str {
    match flag {
        Flag::UnknownScope => "by its source it is somebody else's",
        Flag::ForeignProject => "by its source it is of another project",
        Flag::MalformedFields => "fields of its source are not as they must be",
        Flag::UnknownOrigin => "nobody knows how it came to be remembered",
        Flag::Contested => "a conflict about it is open",
        Flag::AgainstLedger => "a fact that is current says otherwise",
        Flag::Forgotten => "it was forgotten",
        Flag::RejectedBefore => "rejected before",
        Flag::RolledBackBefore => "adopted before, and taken back",
        Flag::DeferredBefore => "put off before",
        Flag::HiddenText => "it holds text that is not seen",
        Flag::InLedger => "it is remembered already",
        Flag::UnfitKey => "its key does not fit; it would be adopted without",
        Flag::UnfitTags => "some of its tags do not fit; it would be adopted without them",
    }
}

/// What a step came to.
pub(super) fn outcome(outcome: StepOutcome) -> &'static str {
    match outcome {
        StepOutcome::Adopted => "became a fact",
        StepOutcome::Already => "was remembered already",
        StepOutcome::Refused => "could not be done",
        StepOutcome::Kept => "kept as a record",
        StepOutcome::Rejected => "rejected",
        StepOutcome::Deferred => "put off",
        StepOutcome::TakenBack => "taken back",
        StepOutcome::Left => "stays: it was changed since",
    }
}

/// How an adoption stands.
pub(super) fn state(adoption: &Adoption) -> &'static str {
    match (adoption.is_unfinished(), adoption.rolled_back_at) {
        (true, _) => "unfinished",
        (false, Some(_)) => "taken back",
        (false, None) => "applied",
    }
}

/// Why a review cannot be sealed, and the group where that is to be put right.
pub(super) fn not_sealable(why: &NotSealable) -> (String, Option<&str>) {
    let told = match why {
        NotSealable::NotAPerson => return ("Only a person seals a review.".to_owned(), None),
        NotSealable::NotOfAudit(bad) => return (bad.to_string(), None),
        NotSealable::Undecided { groups } => {
            return ("Not everything is decided yet.".to_owned(), groups.first().map(String::as_str));
        }
        NotSealable::RowByRow { group } => {
            ("These are approved one by one: decide each row by itself.".to_owned(), group)
        }
        NotSealable::Keeper { group } => (
            "Several are approved here: mark exactly one of them as the one that becomes the fact."
                .to_owned(),
            group,
        ),
        NotSealable::TooMany { group, .. } => (format!("{why}."), group),
        NotSealable::Overlap { .. } | NotSealable::SameStatement { .. } => {
            return (format!("{why}."), None);
        }
        NotSealable::Unfit { row, bad } => {
            return (format!("Memory {row} cannot be adopted so: {bad}."), None);
        }
    };
    (told.0, Some(told.1))
}

/// Why a review was not begun, applied or taken back, in plain words.
pub(super) fn refused(error: MemoryError) -> Fault {
    let message = if let MemoryError::AdoptionRolledBack { .. } = &error {
        "This review was applied and taken back. It is not applied again: begin a new one.".to_owned()
    } else if let MemoryError::Adoption(why) = &error
        && let Some(message) = not_begun(why)
    {
        message
    } else {
        return error.into();
    };
    Fault::new(StatusCode::CONFLICT, "adoption-failed", message)
}

fn not_begun(why: &AdoptionError) -> Option<String> {
    Some(match why {
        AdoptionError::Changed { rows } => format!(
            "{} changed, or were decided about elsewhere, since this review was begun. Nothing was done. Begin a new \
             review; your decisions here can be read until then.",
            pages::rows(rows.len())
        ),
        AdoptionError::Unfinished { adoption } => format!(
            "Adoption {adoption} of these memories has begun with other decisions, and has not ended. Nothing was done. \
             Finish that one, or take it back, first."
        ),
        AdoptionError::NotSealed => {
            "This review was not sealed here, or was changed since. Nothing was done.".to_owned()
        }
        AdoptionError::Store(_) => return None,
    })
}
