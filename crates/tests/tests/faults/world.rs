//! A few facts, a few acts on them, and the processes that share a store.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use serde_json::json;
use truthkeeper::{
    Actor, Caller, Clock, Draft, Embedder, FactId, Id, Memory, MemoryError, Mode, Options, Recall, Scope,
    SearchIndex, Timestamp, Which,
};
use truthkeeper_tests::{FewWords, Planted, Store};

use super::index::{Faults, Faulty};
use super::seed::Seed;
use super::slowness;

const SECOND: i64 = 1_000_000;

/// Several processes on one store, as far as the copy is concerned.
pub(super) struct World {
    pub(super) processes: Vec<(Memory, Arc<Faulty>)>,
    pub(super) model: Arc<FewWords>,
    pub(super) hand: Arc<AtomicI64>,
    caller: Caller,
    facts: Vec<FactId>,
    pub(super) seed: Seed,
}

pub(super) async fn process(
    store: &Store,
    hand: &Arc<AtomicI64>,
    model: &Arc<FewWords>,
    seed: u64,
) -> (Memory, Arc<Faulty>) {
    let clock = {
        let hand = Arc::clone(hand);
        Clock::of(move || Timestamp::from_micros(hand.load(Ordering::SeqCst)))
    };
    let faulty = Arc::new(Faulty::over(index::open(&store.index_address()), seed));
    let index: Arc<dyn SearchIndex> = faulty.clone();
    let embedder: Arc<dyn Embedder> = model.clone();
    let options = Options { clock, index: Some(index), embedder: Some(embedder), ..Options::default() };
    let memory = Memory::open_with(&store.address, options).await.unwrap();
    (memory, faulty)
}

impl World {
    pub(super) async fn new(store: &Store, seed: u64) -> Self {
        let hand = Arc::new(AtomicI64::new(1_793_527_200_000_000));
        let tenant = Id::parse("tenant", &format!("seed-{seed}")).unwrap();
        let scope = Scope::parse_path("scope", &tenant, "user:ann").unwrap();
        let caller = Caller::within(&scope, Actor::User { id: Id::parse("user", "ann").unwrap() }).unwrap();
        let model = Arc::new(FewWords::named("few words"));
        let mut processes = Vec::new();
        for number in 0..2 {
            processes.push(process(store, &hand, &model, seed * 2 + number).await);
        }
        let world = Self { processes, model, hand, caller, facts: Vec::new(), seed: Seed::new(seed) };
        world.go_on_while_another_is_slow();
        world
    }

    pub(super) fn go_on_while_another_is_slow(&self) {
        let slow = Arc::new(AtomicBool::new(false));
        for (number, (_, faulty)) in self.processes.iter().enumerate() {
            let (other, _) = &self.processes[1 - number];
            let (caller, hand) = (self.caller.clone(), Arc::clone(&self.hand));
            let meanwhile = slowness::goes_on(other.clone(), caller, hand, Arc::clone(&slow));
            faulty.while_it_is_slow(Some(meanwhile));
        }
    }

    pub(super) fn all(&self) -> Which {
        Which { tenant: Some(self.caller.tenant().clone()), ..Which::default() }
    }

    fn pass(&mut self, seconds: u64) {
        let micros = i64::try_from(1 + self.seed.below(seconds * 1_000_000)).unwrap();
        self.hand.fetch_add(micros, Ordering::SeqCst);
    }

    pub(super) async fn act(&mut self) {
        let at = usize::try_from(self.seed.below(2)).unwrap();
        let memory = self.processes[at].0.clone();
        let now = memory.now(self.caller.tenant()).await.unwrap();
        match self.seed.below(10) {
            0..=2 => self.write(&memory).await,
            3 | 4 => self.change(&memory).await,
            5 => self.forget(&memory).await,
            6 => self.pass(30),
            7 => drop(memory.retry(&self.all()).await),
            _ => drop(memory.project_all(now).await),
        }
    }

    fn draft(&mut self, fact: Option<FactId>) -> Draft {
        let poison = if self.seed.once_in(5) { "poison " } else { "" };
        let content = Some(json!({ "text": format!("{poison}tea number {}", self.seed.below(1_000_000)) }));
        let (kind, scope) = match fact {
            Some(_) => (None, None),
            None => {
                let scope = Scope::parse_path("scope", self.caller.tenant(), "user:ann").unwrap();
                (Some("acme.note".to_owned()), Some(scope))
            }
        };
        let valid_until = self.seed.once_in(4).then(|| self.later());
        Draft { fact, kind, scope, content, valid_until, ..Draft::default() }
    }

    fn later(&self) -> Timestamp {
        Timestamp::from_micros(self.hand.load(Ordering::SeqCst) + 20 * SECOND)
    }

    async fn write(&mut self, memory: &Memory) {
        let draft = self.draft(None);
        self.facts.push(memory.remember(&self.caller, None, draft).await.unwrap().fact);
    }

    /// One of the facts, where there is one.
    fn one(&mut self) -> Option<FactId> {
        let count = u64::try_from(self.facts.len()).unwrap();
        (count > 0).then(|| self.facts[usize::try_from(self.seed.below(count)).unwrap()])
    }

    async fn change(&mut self, memory: &Memory) {
        let Some(fact) = self.one() else { return };
        let draft = self.draft(Some(fact));
        match memory.remember(&self.caller, None, draft).await {
            Ok(_) | Err(MemoryError::Refused(_) | MemoryError::NotCurrent { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }

    async fn forget(&mut self, memory: &Memory) {
        let Some(fact) = self.one() else { return };
        match memory.forget(&self.caller, None, fact, None, None).await {
            Ok(_) | Err(MemoryError::Refused(_) | MemoryError::NotCurrent { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }

    /// After the faults end and a retry, the copy agrees, and a recall finds what is current.
    pub(super) async fn agrees(&mut self) {
        for (_, faulty) in &self.processes {
            faulty.plant(Faults::None);
        }
        self.model.plant(Planted::Nothing);
        self.hand.fetch_add(3_600 * SECOND, Ordering::SeqCst);
        let memory = self.processes[0].0.clone();
        let now = memory.now(self.caller.tenant()).await.unwrap();
        memory.retry(&self.all()).await.unwrap();
        memory.project_all(now).await.unwrap();
        let outbox = memory.outbox(&self.all()).await.unwrap();
        assert_eq!((outbox.waiting, outbox.failed, outbox.blocked), (0, 0, 0));
        let checked = memory.check_index(self.caller.tenant(), None, |_| {}).await.unwrap();
        assert!(checked.is_clean(), "{checked:?}");
        let recall = Recall::query("tea").limit(100);
        let found = memory.recall(&self.caller, &recall).await.unwrap();
        assert_eq!(u64::try_from(found.facts.len()).unwrap(), checked.total.facts);
        assert_eq!((found.withheld.len(), found.not_searchable_yet), (0, 0));
        let meant = memory.recall(&self.caller, &recall.mode(Mode::Semantic)).await.unwrap();
        assert_eq!(meant.facts.len(), found.facts.len());
    }
}
