//! An owner settles a conflict while others settle it, join it, forget, bring back or change the fact: nothing is
//! settled as it was not seen, nothing that was said is lost, and who came too late is told so.

use std::collections::BTreeMap;
use std::future::Future;
use std::time::{Duration, Instant};

use reconcile::Refusal;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use truthkeeper::{
    Actor, Caller, ConflictId, Draft, Ending, FactId, Id, Memory, MemoryError, Outcome, Receipt,
    RevisionNumber, Ruling, Scope, State, Truth,
};
use truthkeeper_tests::{Store, on_both_engines, soak_time};

const ROUNDS: u32 = 100;
const SOAK_ROUNDS: u32 = 10_000;
/// Rounds that are under way at the same time, each about a fact of its own.
const AT_ONCE: usize = 8;
const KINDS: u32 = 7;

type Answer = Result<Receipt, MemoryError>;

/// Two that opened the same store, Ann, and an agent that works for her.
#[derive(Clone)]
struct Race {
    one: Memory,
    other: Memory,
    ann: Caller,
    agent: Caller,
}

/// A contested fact, and its conflict as everyone saw it before they began: Ann said `tea`, the agent `coffee`.
struct Round {
    race: Race,
    fact: FactId,
    seen: (ConflictId, u32),
    /// Whether the second of two begins first.
    turned: bool,
}

impl Race {
    async fn on(store: &Store) -> Self {
        let id = |name: &str| Id::parse("id", name).unwrap();
        let scope = Scope::parse_path("scope", &id("orchard"), "user:ann").unwrap();
        let caller = |actor| Caller::within(&scope, actor).unwrap();
        Self {
            one: Memory::open(&store.address).await.unwrap(),
            other: Memory::open(&store.address).await.unwrap(),
            ann: caller(Actor::User { id: id("ann") }),
            agent: caller(Actor::Agent { id: id("helper"), version: None }),
        }
    }

    async fn round(&self, number: u32) -> Round {
        let slot = json!({"type": "acme.drink", "scope": {"userId": "ann"}, "key": format!("slot {number}")});
        let fact =
            self.one.remember(&self.ann, None, draft(slot, &format!("tea {number}"))).await.unwrap().fact;
        let doubt = self.other.remember(&self.agent, None, of(fact, "coffee")).await.unwrap();
        let Outcome::ConflictOpened { conflict } = doubt.outcome else { panic!("{doubt:?}") };
        Round { race: self.clone(), fact, seen: (conflict, 1), turned: (number / KINDS).is_multiple_of(2) }
    }
}

impl Round {
    async fn settle(&self, ruling: Ruling) -> Answer {
        self.race.one.settle(&self.race.ann, None, self.seen, ruling, None).await
    }

    async fn say(&self, by: &Caller, draft: Draft) -> Answer {
        self.race.other.remember(by, None, draft).await
    }

    async fn forget(&self) -> Answer {
        self.race.other.forget(&self.race.ann, None, self.fact, None, None).await
    }

    async fn restore(&self) -> Answer {
        self.race.other.restore(&self.race.ann, None, self.fact, None).await
    }

    /// Both at once, the one or the other begun first.
    async fn both<A, B>(&self, one: impl Future<Output = A>, other: impl Future<Output = B>) -> (A, B) {
        if self.turned {
            let (second, first) = tokio::join!(other, one);
            (first, second)
        } else {
            tokio::join!(one, other)
        }
    }

    async fn truth(&self) -> Truth {
        let head = self.race.one.ledger().head(&self.race.ann.reader, self.fact).await.unwrap().unwrap();
        head.truth
    }

    /// The states of the revisions, oldest first.
    async fn states(&self) -> Vec<State> {
        let seen = self.race.one.revisions(&self.race.ann, self.fact, None, 100).await.unwrap();
        seen.iter().rev().map(|seen| seen.state).collect()
    }

    /// The sides, where it is contested.
    async fn sides(&self) -> Vec<RevisionNumber> {
        let truth = self.truth().await;
        let Truth::Contested(contest) = truth else { panic!("{truth:?}") };
        contest.sides
    }
}

fn draft(mut place: Value, text: &str) -> Draft {
    place["content"] = json!({ "text": text });
    Draft::from_json(place, &Id::parse("tenant", "orchard").unwrap()).unwrap()
}

fn of(fact: FactId, text: &str) -> Draft {
    draft(json!({ "fact": fact }), text)
}

fn side(number: u32) -> RevisionNumber {
    RevisionNumber::new(number).unwrap()
}

fn keep(number: u32) -> Ruling {
    Ruling::Keep(side(number))
}

/// It was refused because the conflict has that version now; none where it is not open.
fn is_changed(answer: &Answer, version: Option<u32>) -> bool {
    matches!(answer, Err(MemoryError::Refused(Refusal::ConflictChanged { version: now })) if *now == version)
}

/// Of four that settle it at once, each in another way, one does.
async fn four_settle(round: &Round) -> bool {
    let cocoa = Draft { content: Some(json!({"text": "cocoa"})), ..Draft::default() };
    let apart = Ruling::Both { keep: side(2), apart: side(1) };
    let two = async { tokio::join!(round.settle(keep(1)), round.settle(Ruling::Reword(Box::new(cocoa)))) };
    let more = async { tokio::join!(round.settle(apart), round.settle(keep(2))) };
    let ((kept, reworded), (both, other)) = round.both(two, more).await;
    let first = kept.is_ok() || reworded.is_ok();
    let answers = [kept, reworded, both, other];
    let won: Vec<&Receipt> = answers.iter().flatten().collect();
    assert_eq!(won.len(), 1, "{answers:?}");
    assert!(
        answers.iter().filter(|answer| answer.is_err()).all(|lost| is_changed(lost, None)),
        "{answers:?}"
    );
    assert_eq!(round.truth().await.revisions(), [won[0].revision]);
    first
}

/// What joins is a side of the conflict that was seen, or opens another one: it is never settled unseen.
async fn one_joins(round: &Round) -> bool {
    let water = of(round.fact, "water");
    let (settled, said) = round.both(round.settle(keep(1)), round.say(&round.race.agent, water)).await;
    let said = said.unwrap();
    assert_eq!(said.revision, side(3));
    if settled.is_ok() {
        assert!(matches!(said.outcome, Outcome::ConflictOpened { .. }), "{said:?}");
        assert_eq!(round.sides().await, [side(1), side(3)]);
    } else {
        assert!(is_changed(&settled, Some(2)), "{settled:?}");
        assert!(matches!(said.outcome, Outcome::ConflictJoined { .. }), "{said:?}");
        assert_eq!(round.sides().await, [side(1), side(2), side(3)]);
    }
    settled.is_ok()
}

/// It is forgotten in the end: as it was settled, or with all its sides.
async fn one_forgets(round: &Round) -> bool {
    let (settled, forgot) = round.both(round.settle(keep(1)), round.forget()).await;
    forgot.unwrap();
    assert!(settled.is_ok() || is_changed(&settled, None), "{settled:?}");
    let other = if settled.is_ok() { State::Superseded } else { State::Retracted };
    assert_eq!(round.states().await, [State::Retracted, other]);
    assert!(matches!(round.truth().await, Truth::Ended(Ending::Retracted { .. })));
    settled.is_ok()
}

/// Nothing that is contested or settled can be brought back.
async fn one_restores(round: &Round) -> bool {
    let (settled, restored) = round.both(round.settle(keep(2)), round.restore()).await;
    assert_eq!(settled.unwrap().revision, side(2));
    assert!(matches!(restored, Err(MemoryError::Refused(Refusal::StillCurrent))), "{restored:?}");
    assert_eq!(round.truth().await.revisions(), [side(2)]);
    true
}

/// What was forgotten comes back as it was, and is settled by nobody.
async fn one_restores_what_was_forgotten(round: &Round) -> bool {
    round.forget().await.unwrap();
    let (settled, restored) = round.both(round.settle(keep(1)), round.restore()).await;
    assert!(is_changed(&settled, None), "{settled:?}");
    assert_eq!(restored.unwrap().revision, side(3));
    assert_eq!(round.truth().await.revisions(), [side(3)]);
    false
}

/// Who expects what was settled takes its place once it is, and is told before.
async fn one_supersedes(round: &Round) -> bool {
    let next = Draft { expect_version: Some(1), ..of(round.fact, "water") };
    let (settled, said) = round.both(round.settle(keep(1)), round.say(&round.race.ann, next)).await;
    assert_eq!(settled.unwrap().revision, side(1));
    let stands = if let Ok(said) = &said {
        assert_eq!(said.outcome, Outcome::Superseded);
        said.revision
    } else {
        let expected = matches!(said, Err(MemoryError::Refused(Refusal::Changed { current: None })));
        assert!(expected, "{said:?}");
        side(1)
    };
    let now = round.race.one.now(round.race.ann.tenant()).await.unwrap();
    assert_eq!(round.truth().await.settled(now), Some(stands));
    said.is_ok()
}

/// What was settled is opened again as it was, or not any more.
async fn one_reopens(round: &Round) -> bool {
    round.settle(keep(1)).await.unwrap();
    let race = &round.race;
    let reopen = race.one.reopen(&race.ann, None, round.seen.0);
    let (reopened, said) = round.both(reopen, round.say(&race.ann, of(round.fact, "water"))).await;
    let said = said.unwrap();
    assert_eq!(said.revision, side(3));
    if reopened.is_ok() {
        assert!(matches!(said.outcome, Outcome::ConflictJoined { .. }), "{said:?}");
        assert_eq!(round.sides().await, [side(1), side(2), side(3)]);
    } else {
        let late = matches!(reopened, Err(MemoryError::Refused(Refusal::NotReopenable)));
        assert!(late, "{reopened:?}");
        assert_eq!(said.outcome, Outcome::Superseded);
        assert_eq!(round.states().await, [State::Superseded, State::Superseded, State::Active]);
    }
    reopened.is_ok()
}

/// Gives the kind of the round, and whether who settled, or opened again, came first.
async fn finish(round: Round, number: u32) -> (u32, bool) {
    let kind = number % KINDS;
    let first = match kind {
        0 => four_settle(&round).await,
        1 => one_joins(&round).await,
        2 => one_forgets(&round).await,
        3 => one_restores(&round).await,
        4 => one_restores_what_was_forgotten(&round).await,
        5 => one_supersedes(&round).await,
        _ => one_reopens(&round).await,
    };
    (kind, first)
}

/// Runs up to `rounds` rounds while there is time; gives how often each kind of round went each way.
async fn run(store: &Store, rounds: u32, time: Duration) -> BTreeMap<(u32, bool), u32> {
    let race = Race::on(store).await;
    let began = Instant::now();
    let (mut running, mut begun, mut met) = (JoinSet::new(), 0, BTreeMap::new());
    loop {
        let goes_on = begun < rounds && began.elapsed() < time;
        if goes_on && running.len() < AT_ONCE {
            let (race, number) = (race.clone(), begun);
            running.spawn(async move { finish(race.round(number).await, number).await });
            begun += 1;
            continue;
        }
        let Some(done) = running.join_next().await else { break };
        *met.entry(done.unwrap()).or_default() += 1;
    }
    assert_eq!(race.one.check(|_| {}).await.unwrap().problems, []);
    met
}

on_both_engines! {
    async fn a_conflict_is_settled_as_it_was_seen_or_not_at_all(store: Store) {
        let met = run(&store, ROUNDS, Duration::MAX).await;
        assert_eq!(met.values().sum::<u32>(), ROUNDS);
    }

    #[ignore = "soak"]
    async fn soak_settling(store: Store) {
        let began = Instant::now();
        let met = run(&store, SOAK_ROUNDS, soak_time() / 2).await;
        let rounds: u32 = met.values().sum();
        println!("{rounds} rounds on {:?} in {:.1?}: {met:?}", store.engine(), began.elapsed());
    }
}
