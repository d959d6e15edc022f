//! Processes that share a store: exactly one wins each round, nothing is lost, and none starves.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};

use serde_json::json;
use sqlx::{AnyConnection, Connection as _, Row as _};
use truthkeeper::{Draft, FactId, Memory, State, Times};
use truthkeeper_tests::{Engine, Store, engines, on_both_engines, script, soak_time};

const PROGRAM: &str = env!("CARGO_BIN_EXE_truthkeeper-writer");

/// How many write, each how much.
#[derive(Debug, Clone, Copy)]
struct Race {
    processes: u32,
    /// Writers in each process, each with connections of its own.
    tasks: u32,
    own: u32,
    rounds: u32,
}

on_both_engines! {
    async fn processes_that_share_a_store_lose_nothing(store: Store) {
        let (processes, tasks) = match store.engine() {
            Engine::Sqlite => (8, 1),
            Engine::Postgres => (4, 4),
        };
        run(&store, Race { processes, tasks, own: 50, rounds: 10 }).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "soak"]
async fn soak_race() {
    let (began, time) = (std::time::Instant::now(), soak_time());
    let mut races = 0;
    while began.elapsed() < time {
        for engine in engines() {
            let (processes, tasks) = if engine == Engine::Sqlite { (8, 1) } else { (4, 4) };
            run(&Store::on(engine), Race { processes, tasks, own: 200, rounds: 100 }).await;
        }
        races += 1;
    }
    println!("{races} races on each engine in {:.1?}", began.elapsed());
}

/// What the processes said.
#[derive(Default)]
struct Heard {
    /// Fact and what it says.
    written: Vec<(FactId, String)>,
    /// Round, the revision that won it, and who wrote that.
    won: Vec<(u32, u32, String)>,
    lost: u32,
    /// Milliseconds from start to end, and the longest that one call took, by writer.
    ended: BTreeMap<String, (u64, u64)>,
}

async fn run(store: &Store, race: Race) {
    let memory = Memory::open(&store.address).await.unwrap();
    let caller = script::caller().unwrap();
    let common = Draft {
        kind: Some("acme.common".to_owned()),
        content: Some(json!("nobody has won yet")),
        ..Draft::default()
    };
    let common = memory.remember(&caller, None, common).await.unwrap().fact;
    let heard = hear(&store.address, common, race);

    let writers = race.processes * race.tasks;
    assert_eq!(heard.ended.len(), usize::try_from(writers).unwrap(), "each writer ends");
    let rounds: BTreeSet<u32> = heard.won.iter().map(|(round, _, _)| *round).collect();
    assert_eq!(heard.won.len(), rounds.len(), "one wins a round");
    assert_eq!(rounds.len(), usize::try_from(race.rounds).unwrap(), "each round is won");
    assert_eq!(heard.lost, (writers - 1) * race.rounds);
    let mut seen = memory.revisions(&caller, common, None, 1_000).await.unwrap();
    seen.reverse();
    assert_eq!(seen.len(), rounds.len() + 1);
    for (round, revision, name) in &heard.won {
        assert_eq!(*revision, round + 1);
        let seen = &seen[usize::try_from(*round).unwrap()];
        assert_eq!(said(seen), format!("{name} won round {round}"));
        assert_eq!(seen.state, if *round == race.rounds { State::Active } else { State::Superseded });
    }
    assert_eq!(heard.written.len(), usize::try_from(writers * race.own).unwrap());
    for (fact, says) in &heard.written {
        let seen = memory.get(&caller, *fact, Times::default()).await.unwrap();
        assert_eq!(said(&seen), *says);
    }
    let report = memory.check(|_| {}).await.unwrap();
    assert_eq!(report.problems, []);
    let events = 1 + heard.written.len() + rounds.len();
    assert_eq!(report.events, u64::try_from(events).unwrap());
    has_no_gap(store, report.events).await;
    spread(store.engine(), &heard);
}

fn said(seen: &truthkeeper::Seen) -> String {
    seen.revision.content().unwrap().text().as_str().to_owned()
}

/// Runs the processes at once. A writer that fails ends its process with an error.
fn hear(address: &str, common: FactId, race: Race) -> Heard {
    let running: Vec<_> = (0..race.processes)
        .map(|process| {
            Command::new(PROGRAM)
                .args(["race", address, &format!("writer-{process}"), &common.to_string()])
                .args([race.own, race.rounds, race.tasks].map(|number| number.to_string()))
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let waiting: Vec<_> = running
        .into_iter()
        .map(|child| std::thread::spawn(move || child.wait_with_output().unwrap()))
        .collect();
    let mut heard = Heard::default();
    for output in waiting {
        let output = output.join().unwrap();
        assert!(output.status.success(), "a writer failed: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().lines().for_each(|line| heard.line(line));
    }
    heard
}

impl Heard {
    fn line(&mut self, line: &str) {
        match line.split(' ').collect::<Vec<_>>().as_slice() {
            ["wrote", fact, name, number] => {
                self.written.push((FactId::parse(fact).unwrap(), format!("{name} wrote {number}")));
            }
            ["won", round, revision, name] => {
                self.won.push((round.parse().unwrap(), revision.parse().unwrap(), (*name).to_owned()));
            }
            ["lost", ..] => self.lost += 1,
            ["ended", name, took, slowest] => {
                self.ended.insert((*name).to_owned(), (took.parse().unwrap(), slowest.parse().unwrap()));
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Positions are 1, 2, 3 and so on.
async fn has_no_gap(store: &Store, events: u64) {
    sqlx::any::install_default_drivers();
    let address = match store.engine() {
        Engine::Sqlite => format!("sqlite://{}", store.address),
        Engine::Postgres => store.address.clone(),
    };
    let mut connection = AnyConnection::connect(&address).await.unwrap();
    let row = sqlx::query("SELECT COUNT(DISTINCT position), MIN(position), MAX(position) FROM events")
        .fetch_one(&mut connection)
        .await
        .unwrap();
    let numbers: Vec<i64> = (0..3).map(|column| row.get(column)).collect();
    let events = i64::try_from(events).unwrap();
    assert_eq!(numbers, [events, 1, events]);
}

/// The slowest writer took no more than a few times what the fastest took.
fn spread(engine: Engine, heard: &Heard) {
    let mut took: Vec<u64> = heard.ended.values().map(|(took, _)| *took).collect();
    took.sort_unstable();
    let slowest_call = heard.ended.values().map(|(_, slowest)| *slowest).max().unwrap();
    let (fastest, slowest) = (took[0], took[took.len() - 1]);
    println!("{engine:?}: writers took {fastest} to {slowest} ms; the slowest call {slowest_call} ms");
    assert!(slowest_call < 20_000, "a call starved for {slowest_call} ms");
}
