//! A revision as it is shown, wherever one is.

use truthkeeper::{
    Actor, Admission, Confidence, Evidence, EvidenceKind, FactId, Origin, Provenance, RecalledFact, Revision,
    Seen, State, Timestamp, Trust,
};

use super::said::{Compared, Said};
use super::when::When;
use crate::plain;

/// A revision as it is shown.
pub(crate) struct Version {
    pub(crate) fact: FactId,
    pub(crate) number: u32,
    pub(crate) kind: Said,
    pub(crate) scope: Said,
    pub(crate) state: &'static str,
    pub(crate) quarantined: bool,
    pub(crate) text: Said,
    /// The text beside an older one.
    pub(crate) compared: Option<Compared>,
    pub(crate) by: Said,
    pub(crate) is_person: bool,
    pub(crate) trust: &'static str,
    pub(crate) recorded: When,
    /// How it came about, where it was not simply said.
    pub(crate) how: Option<String>,
    pub(crate) key: Option<Said>,
    pub(crate) tags: Vec<Said>,
    /// Where the author is not sure.
    pub(crate) confidence: Option<String>,
    pub(crate) reason: Option<Said>,
    /// Times of the world, with a word before each.
    pub(crate) times: Vec<(&'static str, When)>,
    pub(crate) evidence: Vec<Ground>,
    /// What made it, by name.
    pub(crate) made_by: Vec<(&'static str, Said)>,
    pub(crate) derived_from: Vec<FactId>,
    pub(crate) merged: Vec<FactId>,
    pub(crate) held: bool,
}

/// What a revision rests on.
pub(crate) struct Ground {
    pub(crate) kind: &'static str,
    pub(crate) id: Said,
    pub(crate) quote: Option<Said>,
}

impl Version {
    /// What was seen.
    pub(crate) fn of(seen: &Seen, now: Timestamp) -> Self {
        let Seen { head, revision, state, admission } = seen;
        let version = Self::of_revision(head.fact, revision, now);
        Self {
            kind: Said::of(head.kind.as_str()),
            scope: Said::of(head.scope.path()),
            state: state_name(*state),
            quarantined: *admission == Admission::Quarantined,
            held: head.held,
            times: times(revision, head.created_at, now),
            ..version
        }
    }

    /// What was recalled.
    pub(crate) fn recalled(fact: &RecalledFact, now: Timestamp) -> Self {
        let head = &fact.case.head;
        Self {
            kind: Said::of(head.kind.as_str()),
            scope: Said::of(head.scope.path()),
            state: state_name(State::Active),
            held: head.held,
            times: times(&fact.revision, head.created_at, now),
            ..Self::of_revision(head.fact, &fact.revision, now)
        }
    }

    /// A revision whose fact is said elsewhere.
    pub(crate) fn of_revision(fact: FactId, revision: &Revision, now: Timestamp) -> Self {
        let said = &revision.saying;
        let words = revision.words.as_ref();
        let text = |text: &truthkeeper::Text| Said::of(text.as_str());
        Self {
            fact,
            number: revision.number.get(),
            kind: Said::of(""),
            scope: Said::of(""),
            state: "",
            quarantined: false,
            text: Said::of(plain::text(revision)),
            compared: None,
            by: Said::of(plain::actor(revision.author())),
            is_person: Actor::is_person(revision.author()),
            trust: trust_name(said.trust),
            recorded: When::of(revision.recorded_at, now),
            how: how(said.origin),
            key: words.and_then(|words| words.key.as_ref()).map(text),
            tags: words.map_or(&[][..], |words| &words.tags).iter().map(text).collect(),
            confidence: (said.confidence != Confidence::FULL).then(|| said.confidence.to_string()),
            reason: words.and_then(|words| words.reason.as_ref()).map(text),
            times: times(revision, revision.recorded_at, now),
            evidence: revision.evidence().map(Ground::of).collect(),
            made_by: made_by(&said.provenance),
            derived_from: said.provenance.derived_from.clone(),
            merged: revision.merged.clone(),
            held: false,
        }
    }

    /// Whether there is something to say about where it comes from.
    pub(crate) fn has_grounds(&self) -> bool {
        let Self { times, evidence, made_by, derived_from, merged, .. } = self;
        !(times.is_empty()
            && evidence.is_empty()
            && made_by.is_empty()
            && derived_from.is_empty()
            && merged.is_empty())
    }

    /// The same, beside what an older revision says.
    pub(crate) fn beside(self, older: &Revision, newer: &Revision) -> Self {
        let (older, newer) = (plain::text(older), plain::text(newer));
        let compared = (older != newer).then(|| Compared::of(&older, &newer));
        Self { compared, ..self }
    }
}

impl Ground {
    fn of(evidence: &Evidence) -> Self {
        let kind = match evidence.kind {
            EvidenceKind::Message => "message",
            EvidenceKind::Run => "run",
            EvidenceKind::Operator => "operator's act",
            EvidenceKind::Legacy => "older memory",
        };
        let quote = evidence.quote.as_ref().map(|quote| Said::of(quote.as_str()));
        Self { kind, id: Said::of(evidence.id.as_str()), quote }
    }
}

/// A state as owners read it.
pub(crate) fn state_name(state: State) -> &'static str {
    match state {
        State::Active => "current",
        State::Superseded => "replaced",
        State::Retracted => "forgotten",
        State::Expired => "ran out",
        State::Conflicted => "in conflict",
    }
}

fn how(origin: Origin) -> Option<String> {
    match origin {
        Origin::Stated => None,
        Origin::Verified(revision) => Some(format!("vouches for version {revision}")),
        Origin::Restored(revision) => Some(format!("brings version {revision} back")),
        Origin::Accepted(_) => Some("was said again, and taken up".to_owned()),
        Origin::Moved(revision) => Some(format!("is version {revision}, moved")),
        Origin::SetApart { revision, .. } => Some(format!("was version {revision} of another fact")),
    }
}

fn trust_name(trust: Trust) -> &'static str {
    match trust {
        Trust::Asserted => "asserted",
        Trust::Unverified => "not verified",
        Trust::Verified => "verified",
    }
}

fn times(revision: &Revision, created: Timestamp, now: Timestamp) -> Vec<(&'static str, When)> {
    let said = &revision.saying;
    let times = [
        ("true from", said.valid_from),
        ("true until", said.valid_until),
        ("observed", said.observed_at),
        ("kept until", said.retention.expires_at(created)),
    ];
    times.into_iter().filter_map(|(name, time)| Some((name, When::of(time?, now)))).collect()
}

fn made_by(provenance: &Provenance) -> Vec<(&'static str, Said)> {
    let Provenance {
        run,
        step,
        tool_call,
        message,
        channel,
        speaker,
        thread,
        sequence,
        agent,
        runtime_profile,
        backend,
        provider,
        model,
        prompt_version,
        derived_from: _,
    } = provenance;
    let ids = [
        ("agent", agent),
        ("model", model),
        ("provider", provider),
        ("run", run),
        ("step", step),
        ("tool call", tool_call),
        ("message", message),
        ("channel", channel),
        ("speaker", speaker),
        ("conversation", thread),
        ("runtime", runtime_profile),
        ("backend", backend),
        ("prompt", prompt_version),
    ];
    let named = ids.into_iter().filter_map(|(name, id)| Some((name, Said::of(id.as_ref()?.as_str()))));
    let place = sequence.map(|place| ("place in it", Said::of(place.to_string())));
    named.chain(place).collect()
}
