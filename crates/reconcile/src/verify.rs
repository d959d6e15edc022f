//! A person vouches for what stands.

use fact::{
    Case, Decision, Entry, Happening, Origin, Outcome, Reign, Revision, RevisionNumber, Saying, Span,
    Timestamp, Trust, Truth, Words,
};

use crate::refusal::check_person;
use crate::{Moment, Refusal, again, ask};

/// Writes the settled revision again as verified by this person. It holds since the old one held, so that the
/// truth over time does not break; what was to follow it is written again after it.
pub fn verify(
    case: &Case,
    expected: Option<RevisionNumber>,
    moment: &Moment<'_>,
) -> Result<Decision, Refusal> {
    check_person(moment.actor)?;
    let now = moment.at(case);
    let reign = match &case.head.truth {
        Truth::Settled(reign) => reign,
        Truth::Contested(contest) => return Err(Refusal::Contested { conflict: contest.conflict }),
        Truth::Ended(_) => return Err(Refusal::NotCurrent),
    };
    let settled = case.head.truth.settled(now).ok_or(Refusal::NotCurrent)?;
    ask::check_expected(case, expected, now)?;
    if ask::readable(case, settled)?.saying.trust == Trust::Verified {
        return Ok(ask::unchanged(case, settled));
    }
    let number = case.head.latest.next();
    Ok(ask::decided(case, written(case, reign, settled), number, Outcome::Verified))
}

/// The settled revision as verified, and each that is to follow, because a newer one would end it before it begins.
/// One that is erased holds nothing and is not written again, but it still ends what is before it.
fn written(case: &Case, reign: &Reign, settled: RevisionNumber) -> Vec<(Happening, Words)> {
    let standing: Vec<&Span> = reign.spans().iter().skip_while(|span| span.revision != settled).collect();
    let mut happenings = Vec::new();
    let mut number = case.head.latest;
    for (place, span) in standing.iter().enumerate() {
        let Ok(revision) = ask::readable(case, span.revision) else { continue };
        number = number.next();
        let cut = standing.get(place + 1).filter(|next| next.erased).map(|next| next.from);
        let saying = saying(case, revision, settled, cut);
        let happening = Happening::Revised { revision: number, entry: Entry::Settles, saying };
        happenings.push((happening, again::words(revision)));
    }
    happenings
}

fn saying(case: &Case, revision: &Revision, settled: RevisionNumber, cut: Option<Timestamp>) -> Saying {
    let said = &revision.saying;
    let (origin, trust) = if revision.number == settled {
        (Origin::Verified(settled), Trust::Verified)
    } else {
        (Origin::Restored(revision.number), said.trust)
    };
    Saying {
        origin,
        trust,
        admission: again::admission(&case.head, revision.number),
        valid_from: Some(revision.valid_from()),
        valid_until: said.valid_until.into_iter().chain(cut).min(),
        ..said.clone()
    }
}
