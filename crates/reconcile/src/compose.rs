//! A proposal as a new revision: what it leaves out is kept from the revision before.

use fact::{
    Actor, Admission, BadInput, EvidenceKind, Origin, Proposal, Provenance, Retention, Revision, Saying,
    Subject, Text, Timestamp, Trust, Words, hides_text, limits,
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
    /// The least trust of what it is derived from.
    pub(crate) sources: Option<Trust>,
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
    let provenance = provenance(proposal, setting);
    Saying {
        origin: Origin::Stated,
        confidence: proposal.confidence,
        trust: trust(proposal, setting, &provenance),
        admission: admission(proposal, setting.actor),
        valid_from: proposal.valid_from,
        valid_until: proposal.valid_until.or_else(kept_until),
        observed_at: proposal.observed_at,
        retention: proposal.retention.clone().unwrap_or_else(kept_retention),
        subjects: proposal.subjects.clone().unwrap_or_else(|| subjects(before)),
        provenance,
        said_by: None,
    }
}

/// Never more than that of any fact it is derived from, and than what a machine rewrites of such a one.
fn trust(proposal: &Proposal, setting: &Setting<'_>, provenance: &Provenance) -> Trust {
    let said = proposal.trust.unwrap_or_else(|| setting.actor.default_trust());
    let rewritten = setting.before.filter(|_| is_rewriting(setting)).map(|before| before.saying.trust);
    let is_derived = !provenance.derived_from.is_empty();
    let bounds = [setting.sources, rewritten].into_iter().flatten().filter(|_| is_derived);
    bounds.fold(said, Trust::least)
}

/// Where it comes from. A machine that rewrites what was derived does not make it its own.
fn provenance(proposal: &Proposal, setting: &Setting<'_>) -> Provenance {
    let mut provenance = proposal.provenance.clone();
    if let Some(before) = setting.before.filter(|_| is_rewriting(setting)) {
        let kept = &before.saying.provenance.derived_from;
        let new = kept.iter().filter(|fact| !proposal.provenance.derived_from.contains(fact));
        let room = limits::DERIVED_FROM_MAX.saturating_sub(provenance.derived_from.len());
        provenance.derived_from.extend(new.take(room));
    }
    provenance
}

fn is_rewriting(setting: &Setting<'_>) -> bool {
    let derived = setting.before.is_some_and(|before| !before.saying.provenance.derived_from.is_empty());
    derived && !setting.actor.is_person()
}

/// What hides words from a reader waits for an operator, whoever says it; and what a machine makes of a memory from before
/// the ledger: that is adoption outside a review.
fn admission(proposal: &Proposal, actor: &Actor) -> Admission {
    let rests_on_legacy = proposal.evidence.iter().any(|evidence| evidence.kind == EvidenceKind::Legacy);
    if hides_text(proposal.content.text().as_str()) || (rests_on_legacy && !actor.is_person()) {
        return Admission::Quarantined;
    }
    actor.admission()
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
        unless_verified: retention.unless_verified,
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
