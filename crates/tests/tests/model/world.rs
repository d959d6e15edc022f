//! The model of one tenant: its facts, its clock, the requests it answered, and what the last command came to.

use std::collections::BTreeMap;

use super::commands::{Act, Command, HOUR, Who};
use super::facts::{Fact, Micros, Span, Text, Truth};
use super::review::Review;
use super::{acts, decide, merge, review, settle};

/// Ids are the order in which the model met them; the real ones stand beside them in the test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Created,
    Superseded,
    Unchanged,
    EvidenceAdded,
    History,
    Opened(usize),
    Joined(usize),
    HeldBack(usize),
    Dismissed(usize),
    Accepted(usize),
    Settled { conflict: usize, quarantined: bool, apart: Option<usize> },
    Reopened(usize),
    Verified,
    Retracted,
    Restored,
    Admitted,
    Quarantined,
    HoldPlaced,
    HoldLifted,
    Moved,
    Merged(u32),
    Split(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Done {
    pub(super) fact: usize,
    pub(super) revision: u32,
    pub(super) outcome: Outcome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    BadInput,
    NotFound,
    Changed,
    LegalHold,
    NotPermitted,
    NotCurrent,
    Contested,
    NoSuchConflict,
    /// The version that it has, where it is open.
    ConflictChanged(Option<u32>),
    NotReopenable,
    NoSuchReview,
    NotWaiting,
    NotLatest,
    StillCurrent,
    KeyReused,
    NothingToErase,
    Merged,
    NotMerged,
    Taken,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    Nothing,
    Done { done: Done, replayed: bool },
    Erased(Vec<u32>),
    Swept(u64),
    Refused(Why),
}

#[derive(Clone)]
pub(super) struct World {
    pub(super) clock: Micros,
    pub(super) facts: Vec<Fact>,
    /// The fact of each conflict that there ever was.
    pub(super) conflicts: Vec<usize>,
    pub(super) reviews: Vec<Review>,
    pub(super) position: i64,
    /// When the last event was recorded.
    pub(super) recorded: Option<Micros>,
    /// The latest time at which the copy was made: one that the clock has not reached again is ahead of the truth.
    pub(super) copied: Micros,
    pub(super) answer: Answer,
    pub(super) steps: u32,
    requests: BTreeMap<u8, (Who, Act, Done)>,
}

impl std::fmt::Debug for World {
    /// Every case begins with the same one, so a failure need not show it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "World({})", self.clock)
    }
}

impl World {
    pub(super) fn new() -> Self {
        let clock = 1_793_527_200_000_000 + HOUR;
        Self {
            clock,
            facts: Vec::new(),
            conflicts: Vec::new(),
            reviews: Vec::new(),
            position: 0,
            recorded: None,
            copied: clock,
            answer: Answer::Nothing,
            steps: 0,
            requests: BTreeMap::new(),
        }
    }

    /// Requests that were answered, to be sent again.
    pub(super) fn asked(&self) -> impl Iterator<Item = Command> {
        self.requests.iter().map(|(key, (who, act, _))| Command::Do {
            who: *who,
            key: Some(*key),
            act: act.clone(),
        })
    }

    /// The time of a call: never before what is recorded.
    pub(super) fn now(&self) -> Micros {
        self.recorded.map_or(self.clock, |recorded| self.clock.max(recorded))
    }

    /// The place and the time of the next event of a change that was decided at `now`.
    pub(super) fn event(&mut self, now: Micros) -> (i64, Micros) {
        let at = self.recorded.map_or(now, |recorded| now.max(recorded + 1));
        self.recorded = Some(at);
        self.position += 1;
        (self.position, at)
    }

    pub(super) fn follow(&mut self, command: &Command) {
        self.steps += 1;
        self.answer = match command {
            Command::Do { who, key, act } => self.ask(*who, *key, act),
            Command::Erase { who: _, fact, revision } => self.erase(*fact, *revision),
            Command::Clock(jump) => {
                self.clock += jump;
                Answer::Nothing
            }
            Command::Reopen => Answer::Nothing,
            Command::Sweep => self.sweep(),
        };
        review::drop_moot(self);
        // Reads make the copy too.
        self.copied = self.copied.max(self.now());
    }

    fn ask(&mut self, who: Who, key: Option<u8>, act: &Act) -> Answer {
        if let Some((asker, asked, done)) = key.and_then(|key| self.requests.get(&key)) {
            return match (*asker, asked) == (who, act) {
                true => Answer::Done { done: *done, replayed: true },
                false => Answer::Refused(Why::KeyReused),
            };
        }
        match self.act(who, act) {
            Err(why) => Answer::Refused(why),
            Ok(done) => {
                if let Some(key) = key {
                    self.requests.insert(key, (who, act.clone(), done));
                }
                Answer::Done { done, replayed: false }
            }
        }
    }

    fn act(&mut self, who: Who, act: &Act) -> Result<Done, Why> {
        match act {
            Act::Say(said) => decide::say(self, who, said),
            Act::Settle { conflict, version, ruling, note } => {
                settle::settle(self, who, (*conflict, *version), ruling, *note)
            }
            Act::Reopen { conflict } => settle::reopen(self, who, *conflict),
            Act::Accept { review } => review::accept(self, who, *review),
            Act::Dismiss { review } => review::dismiss(self, who, *review),
            Act::Move { fact, expect, to_ann } => merge::move_fact(self, who, (*fact, *expect), *to_ann),
            Act::Merge { into, others } => merge::merge(self, who, *into, others),
            Act::Split { fact, from } => merge::split(self, who, *fact, *from),
            Act::Verify { fact, .. }
            | Act::Forget { fact, .. }
            | Act::Restore { fact, .. }
            | Act::Hold { fact, .. }
            | Act::Admit { fact }
            | Act::Quarantine { fact } => acts::act(self, who, *fact, act),
        }
    }

    /// The end of what ran out by the clock is put on record, once.
    fn sweep(&mut self) -> Answer {
        let now = self.now();
        let mut swept = 0;
        for fact in 0..self.facts.len() {
            let it = &self.facts[fact];
            let Truth::Settled(spans) = it.truth() else { continue };
            let ran_out =
                |span: &Span| !span.gone && it.revision(span.number).until.is_some_and(|until| until <= now);
            if it.swept || it.stands(now) || !spans.iter().any(ran_out) {
                continue;
            }
            let (_, at) = self.event(now);
            let it = &mut self.facts[fact];
            let truth = it.truth().clone();
            it.turn(at, truth);
            (it.reopenable, it.swept) = (None, true);
            swept += 1;
        }
        Answer::Swept(swept)
    }

    /// Words go; what is left of the truth stays.
    fn erase(&mut self, fact: usize, revision: Option<u32>) -> Answer {
        let now = self.now();
        let Some(found) = self.facts.get(fact) else { return Answer::Refused(Why::NotFound) };
        if found.held {
            return Answer::Refused(Why::LegalHold);
        }
        let text: Option<Text> = match revision {
            Some(number) if number <= found.latest() && !found.revision(number).gone => {
                Some(found.revision(number).text)
            }
            Some(_) => return Answer::Refused(Why::NothingToErase),
            None => None,
        };
        let repeats =
            |said: Option<Text>| text.is_none_or(|text| said.is_some_and(|said| said.word == text.word));
        let left: Vec<_> = found.words.iter().filter(|words| !words.gone).cloned().collect();
        let numbers: Vec<u32> =
            left.iter().filter(|words| repeats(words.text)).filter_map(|words| words.says).collect();
        let is_meant = |about: Option<u32>, said: Option<Text>| {
            repeats(said) || about.is_some_and(|about| numbers.contains(&about))
        };
        if !left.iter().any(|words| is_meant(words.about, words.text)) {
            return Answer::Refused(Why::NothingToErase);
        }
        let (_, at) = self.event(now);
        let found = &mut self.facts[fact];
        for words in found.words.iter_mut().filter(|words| !words.gone) {
            words.gone = is_meant(words.about, words.text);
        }
        for number in &numbers {
            found.revision_mut(*number).gone = true;
        }
        acts::without(found, &numbers, at);
        Answer::Erased(numbers)
    }
}
