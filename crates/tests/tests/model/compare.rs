//! Every read of the real memory beside what the model says.

use std::collections::BTreeMap;

use reconcile::Refusal;
use truthkeeper::{
    Admission, Caller, ConflictId, Filter, MemoryError, Recall, RevisionNumber, Seen, State,
    Text as RealText, Times, Timestamp,
};

use super::commands::{HOUR, Who};
use super::facts::{Micros, Revision, Truth};
use super::merge;
use super::real::{Real, WORDS, actor, words};
use super::review::Fate;
use super::world::World;

const LIST_MAX: usize = 100;

pub(super) async fn everything(world: &World, real: &Real) {
    let now = world.now();
    let pasts = [now - 1, now - HOUR, now - 3 * HOUR, now - 32 * HOUR, now + 2 * HOUR];
    for number in 0..world.facts.len() {
        one_revision(world, real, number, None, None).await;
        revisions(world, real, number).await;
        for past in pasts {
            one_revision(world, real, number, Some(past), None).await;
            one_revision(world, real, number, None, Some(past)).await;
        }
        one_revision(world, real, number, Some(now - HOUR), Some(now - 3 * HOUR)).await;
    }
    for state in State::ALL {
        list(world, real, &real.caller(Who::Ann), state, now).await;
        list(world, real, &real.caller(Who::Ann), state, now - 2 * HOUR).await;
    }
    list(world, real, &real.stranger(), State::Active, now).await;
    counts(world, real).await;
    conflicts(world, real).await;
    waiting(world, real).await;
    for word in 0..WORDS.len() {
        recall(world, real, word, true).await;
        recall(world, real, word, false).await;
    }
}

async fn one_revision(
    world: &World,
    real: &Real,
    number: usize,
    known: Option<Micros>,
    valid: Option<Micros>,
) {
    let fact = &world.facts[number];
    let as_of = known.unwrap_or(world.now());
    let at = valid.unwrap_or(as_of);
    let expected = fact.settled_then(as_of, at);
    let times =
        Times { as_of: known.map(Timestamp::from_micros), valid_at: valid.map(Timestamp::from_micros) };
    let place = format!("fact {number} as of {known:?} at {valid:?}");
    match (real.memory.get(&real.caller(Who::Ann), real.facts[number], times).await, expected) {
        (Ok(seen), Some(expected)) => {
            assert_eq!(seen.revision.number.get(), expected, "{place}");
            let state = if at == as_of { State::Active } else { fact.state(expected, as_of, as_of) };
            assert_eq!(seen.state, state, "the state of {place}");
            same_revision(&seen, fact.revision(expected), &place);
            same_evidence(&seen, merge::evidence(world, number, expected), &place);
        }
        (Err(MemoryError::NotCurrent { .. } | MemoryError::NotFound), None) => {}
        (Err(MemoryError::Refused(Refusal::Merged { .. })), None) => {}
        (found, expected) => {
            let found = found.map(|seen| seen.revision.number);
            panic!("{place} is {found:?}, the model has {expected:?}")
        }
    }
}

fn same_revision(seen: &Seen, expected: &Revision, place: &str) {
    let revision = &seen.revision;
    let text = revision.content().map(|content| content.text().as_str().to_owned());
    assert_eq!(text, (!expected.gone).then(|| words(expected.text)), "the words of {place}");
    assert_eq!(revision.position.get(), expected.position, "{place}");
    assert_eq!(revision.recorded_at.micros(), expected.recorded, "{place}");
    assert_eq!(revision.valid_from().micros(), expected.from, "{place}");
    assert_eq!(revision.saying.valid_until.map(Timestamp::micros), expected.until, "{place}");
    assert_eq!(revision.saying.observed_at.map(Timestamp::micros), expected.seen, "{place}");
    assert_eq!(revision.saying.trust, expected.trust, "{place}");
    assert_eq!(revision.actor, actor(expected.by), "{place}");
    if expected.gone {
        return;
    }
    let tags: Vec<String> = expected.tags.iter().map(|tag| format!("tag {tag}")).collect();
    let real: Vec<&str> = revision.words.iter().flat_map(|words| &words.tags).map(RealText::as_str).collect();
    assert_eq!(real, tags, "the tags of {place}");
}

fn same_evidence(seen: &Seen, expected: Vec<u8>, place: &str) {
    let mut evidence: Vec<String> = seen.revision.evidence().map(|one| one.id.to_string()).collect();
    let mut expected: Vec<String> = expected.into_iter().map(|number| format!("message-{number}")).collect();
    evidence.sort_unstable();
    expected.sort_unstable();
    assert_eq!(evidence, expected, "the evidence of {place}");
}

async fn revisions(world: &World, real: &Real, number: usize) {
    let fact = &world.facts[number];
    let now = world.now();
    let seen = real.memory.revisions(&real.caller(Who::Ann), real.facts[number], None, 100).await.unwrap();
    assert_eq!(seen.len(), fact.revisions.len(), "revisions of fact {number}");
    let named = fact.truth().names();
    for (seen, expected) in seen.iter().zip((1..=fact.latest()).rev()) {
        let place = format!("fact {number}, revision {expected}");
        assert_eq!(Some(seen.revision.number), RevisionNumber::new(expected));
        assert_eq!(seen.state, fact.state(expected, now, now), "the state of {place}");
        same_revision(seen, fact.revision(expected), &place);
        same_evidence(seen, merge::evidence(world, number, expected), &place);
        if named.contains(&expected) {
            let waits = fact.revision(expected).quarantined;
            assert_eq!(seen.admission == Admission::Quarantined, waits, "the admission of {place}");
        }
    }
}

async fn list(world: &World, real: &Real, caller: &Caller, state: State, known: Micros) {
    let sees_all = *caller == real.caller(Who::Ann);
    let mut expected = Vec::new();
    for (number, fact) in world.facts.iter().enumerate() {
        for revision in (1..=fact.latest()).filter(|revision| fact.revision(*revision).recorded <= known) {
            let is_current = fact.settled_then(known, known) == Some(revision);
            let is_it = fact.state(revision, known, known) == state && (state != State::Active || is_current);
            if is_it && (sees_all || !fact.place.is_anns) {
                expected.push((fact.revision(revision).position, number, revision));
            }
        }
    }
    expected.sort_unstable();
    expected.reverse();
    let filter = Filter { state, ..Filter::current() };
    let times = Times { as_of: Some(Timestamp::from_micros(known)), valid_at: None };
    let page = real.memory.list(caller, &filter, times, None, LIST_MAX).await.unwrap();
    let found: Vec<(i64, usize, u32)> = page
        .items
        .iter()
        .map(|seen| {
            let number = real.facts.iter().position(|fact| *fact == seen.head.fact).unwrap();
            assert_eq!(seen.state, state);
            (seen.revision.position.get(), number, seen.revision.number.get())
        })
        .collect();
    assert_eq!(found, expected, "what is {state:?} as of {known}");
}

async fn counts(world: &World, real: &Real) {
    let now = world.now();
    let mut expected: BTreeMap<State, u64> = State::ALL.into_iter().map(|state| (state, 0)).collect();
    for fact in &world.facts {
        for number in 1..=fact.latest() {
            *expected.get_mut(&fact.state(number, now, now)).unwrap() += 1;
        }
    }
    assert_eq!(real.memory.counts(&real.caller(Who::Ann)).await.unwrap(), expected);
}

async fn conflicts(world: &World, real: &Real) {
    let mut expected: Vec<(Micros, ConflictId, usize, u32)> = world
        .facts
        .iter()
        .enumerate()
        .filter_map(|(number, fact)| match fact.truth() {
            Truth::Contested(open) => {
                Some((open.opened, real.conflicts[open.conflict], number, open.version))
            }
            Truth::Settled(_) | Truth::Forgotten { .. } | Truth::Merged { .. } | Truth::Erased => None,
        })
        .collect();
    expected.sort_unstable();
    expected.reverse();
    let (found, count) = real.memory.conflicts(&real.caller(Who::Ann), LIST_MAX).await.unwrap();
    assert_eq!(count, expected.len());
    let found: Vec<(Micros, ConflictId, usize, u32)> = found
        .iter()
        .map(|open| {
            let number = real.facts.iter().position(|fact| *fact == open.fact).unwrap();
            (open.opened_at.micros(), open.conflict, number, open.version)
        })
        .collect();
    assert_eq!(found, expected, "open conflicts");
}

async fn waiting(world: &World, real: &Real) {
    let numbered = world.reviews.iter().enumerate();
    let mut waits: Vec<_> = numbered.filter(|(_, review)| review.fate == Fate::Waits).collect();
    waits.sort_by_key(|(_, review)| -review.position);
    let expected = waits.into_iter().map(|(number, review)| {
        let text = review.text(&world.facts[review.fact]);
        let evidence = review.proposed.evidence.iter().filter(|_| text.is_some());
        let evidence: Vec<String> = evidence.map(|number| format!("message-{number}")).collect();
        (real.reviews[number], real.facts[review.fact], text.map(words), evidence)
    });
    let found = real.memory.held_back(&real.caller(Who::Ann)).await.unwrap();
    let found = found.iter().map(|held| {
        let text = held.proposed.content().map(|content| content.text().as_str().to_owned());
        let evidence: Vec<String> = held.proposed.evidence().map(|one| one.id.to_string()).collect();
        (held.review, held.fact, text, evidence)
    });
    assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "what is held back");
}

/// What is settled now, admitted and the reader's comes, one for all that say the same; nothing else does.
async fn recall(world: &World, real: &Real, word: usize, sees_all: bool) {
    let now = world.now();
    let caller = if sees_all { real.caller(Who::Ann) } else { real.stranger() };
    let may_come: Vec<(usize, u32)> = world
        .facts
        .iter()
        .enumerate()
        .filter(|(_, fact)| sees_all || !fact.place.is_anns)
        .filter_map(|(number, fact)| {
            let settled = fact.settled(now)?;
            let revision = fact.revision(settled);
            (!revision.quarantined && usize::from(revision.text.word) == word).then_some((number, settled))
        })
        .collect();
    let recalled = real.memory.recall(&caller, &Recall::query(WORDS[word])).await.unwrap();
    for fact in &recalled.facts {
        let number = real.facts.iter().position(|one| *one == fact.case.head.fact).unwrap();
        let found = (number, fact.revision.number.get());
        assert!(may_come.contains(&found), "{found:?} came for {}; {may_come:?} may", WORDS[word]);
        let text = fact.revision.content().unwrap().text();
        assert_eq!(text.as_str(), words(world.facts[number].revision(found.1).text));
    }
    // Every fact of a word says the same, and a copy that is ahead of the clock may hold what is to come.
    let is_behind = now < world.copied;
    let count = usize::from(!may_come.is_empty());
    assert!(recalled.facts.len() <= count);
    assert!(is_behind || recalled.facts.len() == count, "{may_come:?} did not come for {}", WORDS[word]);
    assert_eq!(recalled.not_searchable_yet, 0);
}
