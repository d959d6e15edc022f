//! A proposal as a new revision: what it leaves out is kept from the revision before.

use fact::{
    Actor, Admission, BadInput, Origin, Proposal, Retention, Revision, Saying, Subject, Text, Timestamp,
    Words, hides_text,
};

/// When a new revision is written, and of which fact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting<'a> {
    /// Who says it.
    pub(crate) actor: &'a Actor,
    /// When.
    pub(crate) now: Timestamp,
    /// When the fact was first written: retention in days counts from then.
    pub(crate) created: Timestamp,
    /// The revision before, if there is one.
    pub(crate) before: Option<&'a Revision>,
}

/// What the proposal says, without the words.
pub(crate) fn saying(proposal: &Proposal, setting: &Setting<'_>) -> Saying {
    let before = setting.before.map(|revision| &revision.saying);
    let start = proposal.valid_from.unwrap_or(setting.now);
    let kept_until = || before.and_then(|said| said.valid_until).filter(|until| *until > start);
    let kept_retention = || {
        before.map_or_else(Retention::default, |said| {
            unexpired(&said.retention, setting.created, start.max(setting.now))
        })
    };
    Saying {
        origin: Origin::Stated,
        confidence: proposal.confidence,
        trust: proposal.trust.unwrap_or_else(|| setting.actor.default_trust()),
        admission: admission(proposal, setting.actor),
        valid_from: proposal.valid_from,
        valid_until: proposal.valid_until.or_else(kept_until),
        observed_at: proposal.observed_at,
        retention: proposal.retention.clone().unwrap_or_else(kept_retention),
        subjects: proposal.subjects.clone().unwrap_or_else(|| subjects(before)),
        provenance: proposal.provenance.clone(),
    }
}

/// What hides words from a reader waits for an operator, whoever says it.
fn admission(proposal: &Proposal, actor: &Actor) -> Admission {
    if hides_text(proposal.content.text().as_str()) { Admission::Quarantined } else { actor.admission() }
}

/// The words of the proposal, with the key of its fact.
pub(crate) fn words(proposal: &Proposal, before: Option<&Revision>, key: Option<Text>) -> Words {
    let kept = before.and_then(|revision| revision.words.as_ref());
    let kept_tags = || -> Vec<Text> { kept.map(|words| words.tags.clone()).unwrap_or_default() };
    Words {
        content: Some(proposal.content.clone()),
        key,
        tags: proposal.tags.clone().unwrap_or_else(kept_tags),
        reason: proposal.reason.clone(),
        evidence: proposal.evidence.clone(),
    }
}

/// The bounds of `retention` that are not over at `at`.
pub(crate) fn unexpired(retention: &Retention, created: Timestamp, at: Timestamp) -> Retention {
    Retention {
        keep_days: retention.keep_days.filter(|days| created.plus_days(*days) > at),
        keep_until: retention.keep_until.filter(|until| *until > at),
    }
}

/// Refuses a revision that would be over before anyone could read it.
pub(crate) fn check_kept(saying: &Saying, setting: &Setting<'_>) -> Result<(), BadInput> {
    let start = saying.valid_from.unwrap_or(setting.now).max(setting.now);
    match saying.retention.expires_at(setting.created) {
        Some(expires) if expires <= start => Err(BadInput::new(
            "retention",
            "would be over before it begins; days count from the first write of the fact",
        )),
        Some(_) | None => Ok(()),
    }
}

fn subjects(before: Option<&Saying>) -> Vec<Subject> {
    before.map(|said| said.subjects.clone()).unwrap_or_default()
}
