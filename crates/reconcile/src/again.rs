//! A revision that is written again: what a person vouched for, and what was brought back.

use fact::{Admission, Head, Revision, RevisionNumber, Words};

/// Its content, key, tags and all its evidence; why it was said then does not carry over.
pub(crate) fn words(revision: &Revision) -> Words {
    let said = revision.words.clone().unwrap_or_default();
    Words { reason: None, evidence: revision.evidence().cloned().collect(), ..said }
}

/// Its admission as it is now, which an operator may have changed since it was said.
pub(crate) fn admission(head: &Head, revision: RevisionNumber) -> Admission {
    if head.quarantined.contains(&revision) { Admission::Quarantined } else { Admission::Admitted }
}
