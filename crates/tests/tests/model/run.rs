//! Runs the model beside the memory, on both engines.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};
use tokio::runtime::Runtime;
use truthkeeper_tests::{Engine, Store, engines, soak_time};

use super::commands::{self, Command};
use super::compare;
use super::known;
use super::real::Real;
use super::world::{Answer, World};

/// Cases of the normal run on each of the two engines: the same ones each time, so that more of them find nothing more.
const CASES: u32 = 64;
/// Cases that are drawn, and not run, to see what they meet.
const DRAWN_CASES: u32 = 1_536;
const SOAK_CASES: u32 = 20_000;
const STEPS_MAX: usize = 20;
/// Cases that share a PostgreSQL database, each as a tenant of its own.
const CASES_SHARING: u32 = 16;
const STEPS_BETWEEN_CHECKS: u32 = 5;
/// Outcomes and refusals that the model knows, and four that are neither.
const ANSWERS: usize = 45;

struct Model;

impl ReferenceStateMachine for Model {
    type State = World;
    type Transition = Command;

    fn init_state() -> BoxedStrategy<World> {
        Just(World::new()).boxed()
    }

    fn transitions(world: &World) -> BoxedStrategy<Command> {
        commands::next(world)
    }

    fn apply(mut world: World, command: &Command) -> World {
        world.follow(command);
        world
    }
}

/// The runtime and the store of the thread that runs the cases.
struct Ground {
    runtime: Runtime,
    engine: Engine,
    store: Option<Store>,
    left: u32,
}

thread_local! {
    static GROUND: RefCell<Option<Ground>> = const { RefCell::new(None) };
}

impl Ground {
    fn set(engine: Engine) {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        GROUND.with_borrow_mut(|ground| *ground = Some(Self { runtime, engine, store: None, left: 0 }));
    }

    fn with<T>(work: impl FnOnce(&mut Self) -> T) -> T {
        GROUND.with_borrow_mut(|ground| work(ground.as_mut().expect("the ground of this thread is set")))
    }

    /// The store of the next case, and a tenant that nobody has had in it.
    fn place(&mut self) -> (String, String) {
        static TENANTS: AtomicU64 = AtomicU64::new(0);
        if self.left == 0 {
            self.store = None;
            self.store = Some(Store::on(self.engine));
            self.left = match self.engine {
                Engine::Sqlite => 1,
                Engine::Postgres => CASES_SHARING,
            };
        }
        self.left -= 1;
        let address = self.store.as_ref().expect("made above").address.clone();
        (address, format!("tenant-{}", TENANTS.fetch_add(1, Ordering::Relaxed)))
    }
}

impl StateMachineTest for Model {
    type SystemUnderTest = Real;
    type Reference = Self;

    fn init_test(world: &World) -> Real {
        Ground::with(|ground| {
            let (address, tenant) = ground.place();
            ground.runtime.block_on(Real::open(&address, &tenant, world.clock))
        })
    }

    fn apply(mut real: Real, world: &World, command: Command) -> Real {
        Ground::with(|ground| ground.runtime.block_on(real.follow(world, &command)));
        real
    }

    fn check_invariants(real: &Real, world: &World) {
        Ground::with(|ground| {
            ground.runtime.block_on(async {
                compare::everything(world, real).await;
                if world.steps % STEPS_BETWEEN_CHECKS == STEPS_BETWEEN_CHECKS - 1 {
                    has_no_problems(real).await;
                }
            });
        });
    }

    fn teardown(real: Real, _: World) {
        Ground::with(|ground| ground.runtime.block_on(has_no_problems(&real)));
    }
}

async fn has_no_problems(real: &Real) {
    let report = real.memory.check(|_| {}).await.unwrap();
    assert_eq!(report.problems, []);
}

/// Runs up to `cases` cases while there is time, by the seed that was asked for or by new ones; the seed of those that
/// fail is printed.
fn run(engine: Engine, cases: u32, time: Duration) -> u32 {
    Ground::set(engine);
    let asked: Option<u64> =
        std::env::var("PROPTEST_RNG_SEED").ok().map(|seed| seed.parse().expect("the seed is a number"));
    let began = Instant::now();
    let mut done = 0;
    while done < cases && began.elapsed() < time {
        let share = CASES_SHARING.min(cases - done);
        let seed = asked.map_or_else(new_seed, |asked| asked.wrapping_add(u64::from(done)));
        let config = Config {
            cases: share,
            rng_seed: RngSeed::Fixed(seed),
            max_shrink_time: 120_000,
            max_shrink_iters: 2_000,
            failure_persistence: None,
            ..Config::default()
        };
        let outcome =
            TestRunner::new(config.clone()).run(&Model::sequential_strategy(1..=STEPS_MAX), |case| {
                let (world, commands, seen) = case;
                Model::test_sequential(config.clone(), world, commands, seen);
                Ok(())
            });
        if let Err(failure) = outcome {
            panic!("PROPTEST_RNG_SEED={seed} on {engine:?}: {failure}");
        }
        done += share;
    }
    GROUND.set(None);
    done
}

/// One that nobody has had.
fn new_seed() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    u64::try_from(since.as_nanos() % u128::from(u64::MAX)).unwrap()
}

#[test]
fn the_memory_does_what_the_model_does_on_sqlite() {
    run(Engine::Sqlite, CASES, Duration::MAX);
}

#[test]
fn the_memory_does_what_the_model_does_on_postgres() {
    if engines().contains(&Engine::Postgres) {
        run(Engine::Postgres, CASES, Duration::MAX);
    }
}

#[test]
#[ignore = "soak"]
fn soak_model() {
    let engines = engines();
    let share = soak_time() / u32::try_from(engines.len()).unwrap();
    for engine in engines {
        let began = Instant::now();
        let cases = run(engine, SOAK_CASES / 2, share);
        println!("{cases} cases on {engine:?} in {:.1?}", began.elapsed());
    }
}

/// A model that never met a rule would agree with everything about it.
#[test]
fn drawn_cases_meet_every_answer() {
    let mut met: BTreeMap<String, u32> = BTreeMap::new();
    let mut runner = TestRunner::new(Config { rng_seed: RngSeed::Fixed(7), ..Config::default() });
    let strategy = Model::sequential_strategy(1..=STEPS_MAX);
    for _ in 0..DRAWN_CASES {
        let (mut world, commands, _) = strategy.new_tree(&mut runner).unwrap().current();
        for command in commands {
            world.follow(&command);
            *met.entry(name(&world.answer)).or_default() += 1;
        }
    }
    let rare: Vec<_> = met.iter().filter(|(_, times)| **times < DRAWN_CASES / 96).collect();
    assert!(rare.is_empty() && met.len() == ANSWERS, "{met:#?}");
}

/// What drawn cases found once, met again each time.
#[test]
fn the_memory_does_what_it_once_did_not() {
    for engine in engines() {
        Ground::set(engine);
        for commands in known::cases() {
            Model::test_sequential(Config::default(), World::new(), commands, None);
        }
        GROUND.set(None);
    }
}

fn name(answer: &Answer) -> String {
    match answer {
        Answer::Nothing => "nothing".to_owned(),
        Answer::Done { replayed: true, .. } => "replayed".to_owned(),
        Answer::Done { done, replayed: false } => kind(&done.outcome),
        Answer::Erased(_) => "erased".to_owned(),
        Answer::Swept(_) => "swept".to_owned(),
        Answer::Refused(why) => format!("refused {}", kind(why)),
    }
}

/// What it is, whichever it is.
fn kind(answer: &impl std::fmt::Debug) -> String {
    let text = format!("{answer:?}");
    text.split(['(', ' ']).next().unwrap_or_default().to_owned()
}
