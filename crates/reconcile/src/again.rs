//! A revision that is written again: what a person vouched for, what was brought back, what moved.

use fact::{Admission, Case, Head, Reign, Revision, RevisionNumber, Saying, Span, Timestamp, Words};

use crate::ask;

/// A revision that is written again under a new number.
pub(crate) struct Again<'a> {
    /// The new number.
    pub(crate) number: RevisionNumber,
    /// What is written again.
    pub(crate) revision: &'a Revision,
    /// Where an erased one ends it before its time.
    cut: Option<Timestamp>,
}

/// The revision that stands, and each that is to follow, because a newer one would end it before it begins.
/// One that is erased holds nothing and is not written again, but it still ends what is before it.
pub(crate) fn standing<'a>(case: &'a Case, reign: &Reign, first: RevisionNumber) -> Vec<Again<'a>> {
    let spans: Vec<&Span> = reign.spans().iter().skip_while(|span| span.revision != first).collect();
    let mut again = Vec::new();
    let mut number = case.head.latest;
    for (place, span) in spans.iter().enumerate() {
        let Ok(revision) = ask::readable(case, span.revision) else { continue };
        number = number.next();
        let cut = spans.get(place + 1).filter(|next| next.erased).map(|next| next.from);
        again.push(Again { number, revision, cut });
    }
    again
}

impl Again<'_> {
    /// What was said, as it is now: it holds since it did, and is admitted as an operator left it.
    pub(crate) fn saying(&self, head: &Head) -> Saying {
        let said = &self.revision.saying;
        Saying {
            admission: admission(head, self.revision.number),
            valid_from: Some(self.revision.valid_from()),
            valid_until: said.valid_until.into_iter().chain(self.cut).min(),
            ..said.clone()
        }
    }
}

/// Its content, key, tags and all the evidence of its own; why it was said then does not carry over.
pub(crate) fn words(revision: &Revision) -> Words {
    let said = revision.words.clone().unwrap_or_default();
    Words { reason: None, evidence: revision.own_evidence().cloned().collect(), ..said }
}

/// Its admission as it is now, which an operator may have changed since it was said.
pub(crate) fn admission(head: &Head, revision: RevisionNumber) -> Admission {
    if head.quarantined.contains(&revision) { Admission::Quarantined } else { Admission::Admitted }
}
