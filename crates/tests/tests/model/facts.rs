//! One fact as the model sees it: its revisions, its truth after each event, and what follows from both.

use truthkeeper::{State, Trust};

use super::commands::{Place, Said, Who};

pub(super) type Micros = i64;

/// What a revision says. `wide` is the same statement with more space in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) word: u8,
    pub(super) wide: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Revision {
    pub(super) position: i64,
    pub(super) recorded: Micros,
    pub(super) by: Who,
    /// Who said it, where somebody else moved it.
    pub(super) author: Who,
    pub(super) text: Text,
    pub(super) gone: bool,
    pub(super) from: Micros,
    pub(super) until: Option<Micros>,
    pub(super) seen: Option<Micros>,
    pub(super) tags: Vec<u8>,
    pub(super) trust: Trust,
    pub(super) evidence: Vec<u8>,
    pub(super) quarantined: bool,
    /// What it became each time that the truth let go of it, and when.
    pub(super) left: Vec<(Micros, State)>,
}

/// A revision became the truth from its start, or was to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settling {
    pub(super) number: u32,
    pub(super) at: Micros,
    /// When the conflict that it settled was opened again.
    pub(super) undone: Option<Micros>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Contest {
    pub(super) conflict: usize,
    pub(super) version: u32,
    pub(super) opened: Micros,
    pub(super) sides: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) number: u32,
    pub(super) gone: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Truth {
    Settled(Vec<Span>),
    Contested(Contest),
    Forgotten { sides: Vec<u32>, by_person: bool },
    Merged { into: usize, spans: Vec<Span> },
    Erased,
}

/// A revision rests on what one of another fact rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) revision: u32,
    pub(super) fact: usize,
    pub(super) of: u32,
}

impl Truth {
    pub(super) fn names(&self) -> Vec<u32> {
        match self {
            Self::Settled(spans) | Self::Merged { spans, .. } => {
                spans.iter().map(|span| span.number).collect()
            }
            Self::Contested(Contest { sides, .. }) | Self::Forgotten { sides, .. } => sides.clone(),
            Self::Erased => Vec::new(),
        }
    }
}

/// Words that an event holds.
#[derive(Debug, Clone)]
pub(super) struct Words {
    /// The revision that the event says.
    pub(super) says: Option<u32>,
    /// The revision that it is about.
    pub(super) about: Option<u32>,
    pub(super) text: Option<Text>,
    pub(super) gone: bool,
    pub(super) held_back: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Fact {
    pub(super) place: Place,
    pub(super) keeper: Option<Who>,
    pub(super) held: bool,
    pub(super) revisions: Vec<Revision>,
    /// The truth from each event on, oldest first.
    pub(super) truths: Vec<(Micros, Truth)>,
    /// What became the truth, in the order in which it did.
    pub(super) settlings: Vec<Settling>,
    /// The conflict that was settled last, until anything else changes the truth.
    pub(super) reopenable: Option<Contest>,
    pub(super) words: Vec<Words>,
    /// The facts that were merged into it.
    pub(super) links: Vec<Link>,
    /// Facts that it is not the same as.
    pub(super) apart: Vec<usize>,
    /// Its end by the clock is on record.
    pub(super) swept: bool,
}

impl Fact {
    pub(super) fn new(place: Place, keeper: Option<Who>, held: bool) -> Self {
        Self {
            place,
            keeper,
            held,
            revisions: Vec::new(),
            truths: Vec::new(),
            settlings: Vec::new(),
            reopenable: None,
            words: Vec::new(),
            links: Vec::new(),
            apart: Vec::new(),
            swept: false,
        }
    }

    pub(super) fn revision(&self, number: u32) -> &Revision {
        &self.revisions[usize::try_from(number - 1).unwrap()]
    }

    pub(super) fn revision_mut(&mut self, number: u32) -> &mut Revision {
        &mut self.revisions[usize::try_from(number - 1).unwrap()]
    }

    pub(super) fn latest(&self) -> u32 {
        u32::try_from(self.revisions.len()).unwrap()
    }

    pub(super) fn truth(&self) -> &Truth {
        &self.truths.last().unwrap().1
    }

    pub(super) fn truth_as_of(&self, known: Micros) -> Option<&Truth> {
        self.truths.iter().rev().find(|(at, _)| *at <= known).map(|(_, truth)| truth)
    }

    /// The span that has begun last, over or not; before the first start, the first.
    fn begun(&self, spans: &[Span], at: Micros) -> Option<Span> {
        spans.iter().rev().find(|span| self.revision(span.number).from <= at).copied()
    }

    /// A revision holds from its start until its own end or the start of one recorded later.
    fn holds(&self, spans: &[Span], at: Micros) -> Option<u32> {
        let span = self.begun(spans, at).filter(|span| !span.gone)?;
        let until = self.revision(span.number).until;
        until.is_none_or(|until| at < until).then_some(span.number)
    }

    pub(super) fn settled(&self, at: Micros) -> Option<u32> {
        match self.truth() {
            Truth::Settled(spans) => self.holds(spans, at),
            Truth::Contested(_) | Truth::Forgotten { .. } | Truth::Merged { .. } | Truth::Erased => None,
        }
    }

    /// The revision that was true at `valid` by what was known at `known`: of those that became the truth and begin
    /// by then, the one that did so last.
    pub(super) fn settled_then(&self, known: Micros, valid: Micros) -> Option<u32> {
        let Some(Truth::Settled(spans)) = self.truth_as_of(known) else { return None };
        let is_known = |one: &&Settling| one.at <= known && one.undone.is_none_or(|undone| known < undone);
        let begins = |one: &&Settling| self.revision(one.number).from <= valid;
        let let_go = |number: u32| {
            let is_named = spans.iter().any(|span| span.number == number);
            self.revision(number).left.iter().rev().find(|(at, _)| !is_named && *at <= known).copied()
        };
        let last = self.settlings.iter().rev().filter(is_known).find(begins)?.number;
        let is_gone = match (spans.iter().find(|span| span.number == last), let_go(last)) {
            (Some(span), _) => span.gone,
            (None, Some((at, state))) => state == State::Retracted || at <= valid,
            (None, None) => false,
        };
        let until = self.revision(last).until;
        (!is_gone && until.is_none_or(|until| valid < until)).then_some(last)
    }

    /// The settled revision, over or not.
    pub(super) fn current(&self, at: Micros) -> Option<Span> {
        match self.truth() {
            Truth::Settled(spans) => self.begun(spans, at).or(spans.first().copied()),
            Truth::Contested(_) | Truth::Forgotten { .. } | Truth::Merged { .. } | Truth::Erased => None,
        }
    }

    /// Whether anything holds, or will.
    pub(super) fn stands(&self, at: Micros) -> bool {
        let Truth::Settled(spans) = self.truth() else { return false };
        let starts = spans.iter().map(|span| self.revision(span.number).from).filter(|from| *from > at);
        std::iter::once(at).chain(starts).any(|time| self.holds(spans, time).is_some())
    }

    /// The spans that none recorded later has replaced by `at`.
    pub(super) fn standing(&self, spans: &[Span], at: Micros) -> Vec<Span> {
        let from = |span: &Span| self.revision(span.number).from;
        let is_replaced = |span: &Span| {
            spans.iter().any(|later| later.number > span.number && from(later) <= from(span).max(at))
        };
        spans.iter().filter(|span| !is_replaced(span)).copied().collect()
    }

    /// What is not erased of what stands.
    pub(super) fn sides(&self, at: Micros) -> Vec<u32> {
        match self.truth() {
            Truth::Settled(spans) => {
                let standing = self.standing(spans, at);
                standing.into_iter().filter(|span| !span.gone).map(|span| span.number).collect()
            }
            other
            @ (Truth::Contested(_) | Truth::Forgotten { .. } | Truth::Merged { .. } | Truth::Erased) => {
                other.names()
            }
        }
    }

    pub(super) fn state(&self, number: u32, known: Micros, valid: Micros) -> State {
        let truth = self.truth_as_of(known);
        if let Some(Truth::Settled(spans)) = truth
            && let Some(place) = spans.iter().position(|span| span.number == number)
        {
            return self.state_in_force(spans, place, valid);
        }
        match truth {
            Some(Truth::Contested(contest)) if contest.sides.contains(&number) => State::Conflicted,
            Some(Truth::Forgotten { sides, .. }) if sides.contains(&number) => State::Retracted,
            Some(Truth::Merged { spans, .. }) if spans.iter().any(|span| span.number == number) => {
                let is_gone = spans.iter().any(|span| span.number == number && span.gone);
                if is_gone { State::Retracted } else { State::Superseded }
            }
            _ => {
                let left = &self.revision(number).left;
                let last = left.iter().rev().find(|(at, _)| *at <= known);
                last.map_or(State::Superseded, |(_, state)| *state)
            }
        }
    }

    fn state_in_force(&self, spans: &[Span], place: usize, valid: Micros) -> State {
        let span = spans[place];
        let end = self.revision(span.number).until.unwrap_or(Micros::MAX);
        let next = spans.get(place + 1).map_or(Micros::MAX, |next| self.revision(next.number).from);
        if span.gone {
            State::Retracted
        } else if end <= valid && end <= next {
            State::Expired
        } else if next <= valid {
            State::Superseded
        } else {
            State::Active
        }
    }

    /// Revisions of the truth that wait for an operator.
    pub(super) fn quarantined(&self) -> Vec<u32> {
        self.truth().names().into_iter().filter(|number| self.revision(*number).quarantined).collect()
    }

    /// The truth from `at` on; what it lets go of gets a last state.
    pub(super) fn turn(&mut self, at: Micros, truth: Truth) {
        let before = self.truths.last().map(|(_, truth)| truth.clone());
        if before.as_ref() != Some(&truth) {
            self.reopenable = None;
            self.swept = false;
        }
        let named = truth.names();
        for number in before.iter().flat_map(Truth::names) {
            let is_gone_now = match &truth {
                Truth::Settled(spans) | Truth::Merged { spans, .. } => {
                    spans.iter().any(|span| span.number == number && span.gone)
                }
                Truth::Forgotten { sides, .. } => sides.contains(&number),
                Truth::Contested(_) | Truth::Erased => false,
            };
            let was_gone =
                self.revision(number).left.last().is_some_and(|(_, state)| *state == State::Retracted);
            let merges =
                matches!(truth, Truth::Merged { .. }) && !matches!(before, Some(Truth::Merged { .. }));
            // What was merged has left by then.
            let was_merged = matches!((&before, &truth), (Some(Truth::Merged { .. }), Truth::Settled(_)));
            let stays = named.contains(&number) && !is_gone_now && !merges;
            if was_gone || stays || was_merged {
                continue;
            }
            let state = match (&before, &truth) {
                _ if is_gone_now => State::Retracted,
                (
                    Some(Truth::Settled(_) | Truth::Contested(_) | Truth::Merged { .. }),
                    Truth::Settled(_) | Truth::Merged { .. },
                ) => State::Superseded,
                (Some(Truth::Settled(_)), Truth::Contested(_)) => State::Superseded,
                (Some(Truth::Settled(spans) | Truth::Merged { spans, .. }), _) => {
                    let stood = self.standing(spans, at).iter().any(|span| span.number == number);
                    if stood { State::Retracted } else { State::Superseded }
                }
                _ => State::Retracted,
            };
            self.revision_mut(number).left.push((at, state));
        }
        self.truths.push((at, truth));
    }

    pub(super) fn key(&self) -> Option<u8> {
        self.place.key
    }

    /// Equal statement, or equal to the letter.
    pub(super) fn says(&self, number: u32, said: &Said) -> bool {
        let revision = self.revision(number);
        let is_same = if said.is_by_statement() {
            revision.text.word == said.text.word
        } else {
            revision.text == said.text
        };
        is_same && !revision.gone
    }
}
