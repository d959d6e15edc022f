//! The history of a fact as one line: what was said, and what was done about it, newest first.

use std::cmp::Reverse;

use truthkeeper::{Act, Caller, FactId, Happening, Head, Position, RevisionNumber, Seen, Timestamp, Verdict};

use super::said::Said;
use super::version::Version;
use super::when::When;
use crate::app::App;
use crate::fault::Fault;
use crate::plain;

/// Revisions of a page.
const PAGE_REVISIONS: usize = 20;
/// Events that are looked at for what was done between those revisions.
const EVENTS_MAX: u32 = 500;

/// A stretch of a fact's history.
pub(super) struct History {
    /// One more than is shown, so that the last one has one to stand beside.
    seen: Vec<Seen>,
    acts: Vec<Act>,
}

/// Something that happened to a fact.
pub(super) enum Entry {
    /// It was said.
    Said(Box<Version>),
    /// Something was done about it.
    Done(Done),
}

/// Something that was done.
pub(super) struct Done {
    pub(super) what: String,
    pub(super) at: When,
    pub(super) by: Said,
    pub(super) reason: Option<Said>,
}

impl History {
    /// The history of a fact from below a revision on.
    pub(super) async fn of(
        app: &App,
        caller: &Caller,
        fact: FactId,
        before: Option<RevisionNumber>,
    ) -> Result<Self, Fault> {
        let more = u32::try_from(PAGE_REVISIONS + 2).unwrap_or(u32::MAX);
        let mut seen = app.memory.revisions(caller, fact, before.map(RevisionNumber::next), more).await?;
        // What came after the one before which the stretch begins was on the page before.
        let newest = before.and_then(|before| seen.first().filter(|seen| seen.revision.number == before));
        let ceiling = newest.map(|seen| seen.revision.position);
        seen.retain(|seen| before.is_none_or(|before| seen.revision.number < before));
        let mut acts = app.memory.acts(caller, fact, ceiling, EVENTS_MAX).await?;
        let floor = seen.get(PAGE_REVISIONS).and(seen.get(PAGE_REVISIONS - 1));
        let floor = floor.map_or(Position::START, |seen| seen.revision.position);
        acts.retain(|act| act.event.position > floor);
        seen.truncate(PAGE_REVISIONS + 1);
        Ok(Self { seen, acts })
    }

    /// The fact.
    pub(super) fn head(&self) -> Option<&Head> {
        self.seen.first().map(|seen| &seen.head)
    }

    /// Before which revision the history goes on.
    pub(super) fn before(&self) -> Option<u32> {
        self.seen.get(PAGE_REVISIONS)?;
        self.seen.get(PAGE_REVISIONS - 1).map(|seen| seen.revision.number.get())
    }

    /// It as it is shown.
    pub(super) fn line(&self, now: Timestamp) -> Vec<Entry> {
        let said = self.seen.iter().enumerate().take(PAGE_REVISIONS).map(|(place, one)| {
            let version = Version::of(one, now);
            let is_to_come = version.state == "current" && one.revision.valid_from() > now;
            let state = if is_to_come { "to come" } else { version.state };
            // Whether it is held is the fact's, and stands above.
            let version = Version { held: false, state, ..version };
            let version = match self.seen.get(place + 1) {
                Some(older) => version.beside(&older.revision, &one.revision),
                None => version,
            };
            (one.revision.position, Entry::Said(Box::new(version)))
        });
        let done = self.acts.iter().map(|act| (act.event.position, Entry::Done(Done::of(act, now))));
        let mut line: Vec<(Position, Entry)> = said.chain(done).collect();
        line.sort_by_key(|(position, _)| Reverse(*position));
        line.into_iter().map(|(_, entry)| entry).collect()
    }
}

impl Done {
    fn of(act: &Act, now: Timestamp) -> Self {
        Self {
            what: what(&act.event.happening),
            at: When::of(act.event.recorded_at, now),
            by: Said::of(plain::actor(&act.event.actor)),
            reason: act.reason.as_ref().map(|reason| Said::of(reason.as_str())),
        }
    }
}

fn what(happening: &Happening) -> String {
    let words = match happening {
        Happening::Created { .. } | Happening::Revised { .. } => "Said",
        Happening::Proposed { .. } => "Proposed by an agent: nothing of it holds until its owner says so",
        Happening::EvidenceAdded { revision } => return format!("Version {revision} rests on more"),
        Happening::Retracted => "Forgotten",
        Happening::HeldBack { .. } => "Said, and held back for its owner",
        Happening::ReviewClosed { verdict: Verdict::Accepted, .. } => "What was held back was taken up",
        Happening::ReviewClosed { verdict: Verdict::Dismissed, .. } => "What was held back was dismissed",
        Happening::Settled { kept, .. } => return format!("Settled: version {} was kept", kept.revision),
        Happening::Reopened { .. } => "The conflict was opened again",
        Happening::Expired => "Ran out",
        Happening::Moved { .. } => "Moved",
        Happening::Merged { .. } => "Merged into another fact",
        Happening::Absorbed(_) => "Another fact was merged into it",
        Happening::Split { .. } => "Said to be a fact of its own",
        Happening::Released { .. } => "What was merged into it is a fact of its own again",
        Happening::Admitted { revision } => return format!("Version {revision} was admitted to recall"),
        Happening::Quarantined { revision } => return format!("Version {revision} was taken out of recall"),
        Happening::HoldPlaced => "Put under legal hold",
        Happening::HoldLifted => "The legal hold was lifted",
        Happening::Erased { .. } => "Words were erased for ever",
    };
    words.to_owned()
}
