//! Seeds that are followed: a few acts in a world with faults, which agrees in the end.

use std::time::Instant;

use truthkeeper_tests::{Engine, Planted, Store, engines, on_both_engines, soak_time};

use super::index::Faults;
use super::world::{World, process};

const ACTS: u32 = 12;
/// Seeds that share a store, each a tenant of its own: making a store is slow.
const SEEDS_A_STORE: u64 = 20;
const SEEDS: u64 = 2_000;
const SEEDS_ON_POSTGRES: u64 = 50;

/// How many faults were planted, and how many writes were refused because another came before them.
#[derive(Default)]
struct Met {
    planted: u32,
    refused: u32,
}

async fn follow(store: &Store, seed: u64, met: &mut Met) {
    let mut world = World::new(store, seed).await;
    let faults = [Faults::Outages, Faults::Refusals, Faults::Slowness, Faults::All];
    let faults = faults[usize::try_from(seed % 4).unwrap()];
    for (_, faulty) in &world.processes {
        faulty.plant(faults);
    }
    for _ in 0..ACTS {
        world.model.plant(match (faults, world.seed.below(3)) {
            (Faults::Outages | Faults::All, 0) => Planted::Outage,
            (Faults::All, 1) => Planted::BadModel,
            (Faults::Refusals | Faults::All, 2) => Planted::Refusals,
            (Faults::None | Faults::Outages | Faults::Refusals | Faults::Slowness | Faults::All, _) => {
                Planted::Nothing
            }
        });
        world.act().await;
        if world.seed.once_in(6) {
            world.processes[0] = process(store, &world.hand, &world.model, seed).await;
            world.processes[0].1.plant(faults);
            world.go_on_while_another_is_slow();
        }
        if matches!(faults, Faults::Outages | Faults::Slowness) {
            let outbox = world.processes[1].0.outbox(&world.all()).await.unwrap();
            assert_eq!(outbox.failed, 0, "neither outage nor slowness uses up anybody's attempts");
        }
    }
    world.agrees().await;
    for (_, faulty) in &world.processes {
        // They hold each other.
        faulty.while_it_is_slow(None);
        met.planted += faulty.planted();
        met.refused += faulty.refused();
    }
}

/// Says the seed when it fails.
struct Says(u64);

impl Drop for Says {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("the seed is {}", self.0);
        }
    }
}

async fn follow_all(engine: Engine, seeds: std::ops::Range<u64>) -> Met {
    let (mut store, mut met) = (Store::on(engine), Met::default());
    for seed in seeds {
        if seed % SEEDS_A_STORE == 0 {
            store = Store::on(engine);
        }
        let _says = Says(seed);
        follow(&store, seed, &mut met).await;
    }
    assert!(met.planted > 0, "no fault was planted");
    met
}

on_both_engines! {
    async fn the_copy_agrees_after_any_fault(store: Store) {
        let parts = match store.engine() {
            Engine::Sqlite => vec![(0, SEEDS / 2), (SEEDS / 2, SEEDS)],
            Engine::Postgres => vec![(0, SEEDS_ON_POSTGRES)],
        };
        let running: Vec<_> =
            parts.into_iter().map(|(first, end)| tokio::spawn(follow_all(store.engine(), first..end))).collect();
        for part in running {
            assert!(part.await.unwrap().refused > 0, "no write came too late");
        }
    }
}

/// New seeds until the time is up, four on SQLite for each on PostgreSQL.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "soak"]
async fn soak_the_copy_agrees_after_any_fault() {
    let (end, mut seed) = (Instant::now() + soak_time(), SEEDS);
    while Instant::now() < end {
        for engine in engines() {
            let seeds = if engine == Engine::Sqlite { 4 * SEEDS_A_STORE } else { SEEDS_A_STORE };
            follow_all(engine, seed..seed + seeds).await;
            seed += seeds;
        }
    }
    println!("{} seeds agreed", seed - SEEDS);
}
