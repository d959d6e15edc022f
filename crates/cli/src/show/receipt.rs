//! What a change came to, in one line.

use truthkeeper::{Outcome, Receipt};

use crate::show::counted;

/// One line, and what follows from it.
pub(crate) fn text(receipt: &Receipt, is_quarantined: bool) -> String {
    let Receipt { fact, revision, outcome, replayed, searchable } = receipt;
    let (name, rest) = told(*outcome);
    let mut line = format!("{name} {fact} version {revision}{rest}");
    if *replayed {
        line.push_str(" (this request was answered before; nothing changed now)");
    }
    if is_quarantined {
        line.push_str(
            "\nquarantined: it is not recalled until an operator admits it (`memory facts admit FACT`)",
        );
    }
    if !searchable {
        line.push_str("\nrecorded, but not searchable yet: the search index is behind");
    }
    line
}

/// The name of an outcome, and what it means for who asked.
fn told(outcome: Outcome) -> (&'static str, String) {
    match outcome {
        Outcome::Created => ("created", String::new()),
        Outcome::Superseded => ("superseded", String::new()),
        Outcome::Unchanged => ("unchanged", String::new()),
        Outcome::EvidenceAdded => ("evidence added to", String::new()),
        Outcome::History => ("recorded in the history of", ": what stands was seen later".to_owned()),
        Outcome::ConflictOpened { conflict } => (
            "conflict opened on",
            format!("\nconflict {conflict}: neither version is recalled until its owner settles it"),
        ),
        Outcome::ConflictJoined { conflict } => (
            "conflict joined on",
            format!("\nconflict {conflict}: no version is recalled until its owner settles it"),
        ),
        Outcome::HeldBack { review } => (
            "held back for",
            format!("\nreview {review}: a person made this forgotten, so it waits for its owner"),
        ),
        Outcome::Dismissed { review } => (
            "dismissed for",
            format!("\nreview {review}: a person dismissed this for good, so nothing waits"),
        ),
        Outcome::Accepted { review } => ("accepted for", format!("\nreview {review} is closed")),
        Outcome::Settled { conflict, quarantined: _, apart } => {
            let apart =
                apart.map_or_else(String::new, |fact| format!("\nset apart as a fact of its own: {fact}"));
            ("settled", format!("\nconflict {conflict}: `memory conflicts reopen CONFLICT` undoes it{apart}"))
        }
        Outcome::Reopened { conflict } => {
            ("reopened", format!("\nconflict {conflict}: no version is recalled until its owner settles it"))
        }
        Outcome::Expired => ("expired", ": `memory facts restore FACT` brings it back".to_owned()),
        Outcome::Quarantined => ("quarantined", String::new()),
        Outcome::Verified => ("verified", String::new()),
        Outcome::Retracted => ("retracted", ": `memory facts restore FACT` brings it back".to_owned()),
        Outcome::Restored => ("restored", String::new()),
        Outcome::Moved => ("moved", String::new()),
        Outcome::Merged { facts } => {
            let merged = counted(facts, "fact");
            ("merged into", format!("\n{merged} merged: `memory duplicates split FACT` undoes it for each"))
        }
        Outcome::Split { from } => ("split", format!("\nit is not the same as {from}")),
        Outcome::Admitted => ("admitted", String::new()),
        Outcome::HoldPlaced => ("hold placed on", String::new()),
        Outcome::HoldLifted => ("hold lifted from", String::new()),
    }
}

/// The name of an outcome where outcomes are counted.
pub(crate) fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Created => "created",
        Outcome::Superseded => "superseded",
        Outcome::Unchanged => "unchanged",
        Outcome::EvidenceAdded => "evidence-added",
        Outcome::History => "history",
        Outcome::ConflictOpened { .. } => "conflict-opened",
        Outcome::ConflictJoined { .. } => "conflict-joined",
        Outcome::HeldBack { .. } => "held-back",
        Outcome::Dismissed { .. } => "dismissed",
        Outcome::Accepted { .. } => "accepted",
        Outcome::Settled { .. } => "settled",
        Outcome::Reopened { .. } => "reopened",
        Outcome::Expired => "expired",
        Outcome::Quarantined => "quarantined",
        Outcome::Verified => "verified",
        Outcome::Retracted => "retracted",
        Outcome::Restored => "restored",
        Outcome::Moved => "moved",
        Outcome::Merged { .. } => "merged",
        Outcome::Split { .. } => "split",
        Outcome::Admitted => "admitted",
        Outcome::HoldPlaced => "hold-placed",
        Outcome::HoldLifted => "hold-lifted",
    }
}
