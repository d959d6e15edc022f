//! The fold of what makes one fact of several, and several of one.

use super::bump_contest;
use crate::truth::Ending;
use crate::{FactId, Head, Link, Timestamp, Truth};

/// What is settled ends: another fact goes on for it.
pub(super) fn merge(head: &mut Head, into: FactId, at: Timestamp) -> Option<()> {
    let Truth::Settled(reign) = &head.truth else { return None };
    let reign = reign.clone();
    (into != head.fact).then(|| head.truth = Truth::Ended(Ending::Merged { into, reign, at }))
}

/// A fact is not the same as another; where it was merged into that one, it stands again.
pub(super) fn split(head: &mut Head, from: FactId) -> Option<()> {
    if let Truth::Ended(Ending::Merged { into, reign, .. }) = &head.truth {
        if *into != from {
            return None;
        }
        head.truth = Truth::Settled(reign.clone());
    }
    if !head.apart.contains(&from) {
        head.apart.push(from);
    }
    (from != head.fact).then_some(())
}

/// A revision rests on what one of another fact rests on, too.
pub(super) fn absorb(head: &mut Head, link: Link) -> Option<()> {
    bump_contest(&mut head.truth);
    (link.revision <= head.latest).then(|| head.absorbed.push(link))
}

/// What was merged into it is one of its own again.
pub(super) fn release(head: &mut Head, fact: FactId) -> Option<()> {
    bump_contest(&mut head.truth);
    let before = head.absorbed.len();
    head.absorbed.retain(|link| link.fact != fact);
    (head.absorbed.len() < before).then_some(())
}
