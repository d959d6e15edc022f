//! Processes that share what waits for the search index: one is killed in the middle, one sleeps past its lease, and
//! everything is done once in effect.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;

use index::{Entry, Source, Span, Version};
use serde_json::json;
use truthkeeper::{Clock, Draft, Embedder, FactId, Memory, Options, Timestamp, Which};
use truthkeeper_tests::{Engine, Store, many, on_both_engines, script, worker};

const PROGRAM: &str = env!("CARGO_BIN_EXE_truthkeeper-writer");
/// Facts that were in the index before it failed, and facts that never were.
const OLD: usize = 200;
const NEW: usize = 200;
const BATCH: u32 = 16;
const LEASE_MILLIS: u32 = 3_000;

/// A process that projects.
struct Worker {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Worker {
    /// Started, and ready to work.
    fn start(store: &Store, how: &str) -> Self {
        let mut child = Command::new(PROGRAM)
            .args(["project", &store.address, &store.index_address()])
            .args([BATCH.to_string(), LEASE_MILLIS.to_string(), how.to_owned()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        let mut worker = Self { child, lines };
        assert_eq!(worker.line(), "ready");
        worker
    }

    /// Started, and in the middle of a batch: it has looked at the truth, and has not written the copy.
    fn start_held(store: &Store) -> Self {
        let mut worker = Self::start(store, "hold");
        assert_eq!(worker.line(), "holding");
        worker
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    }

    fn go_on(&mut self) {
        writeln!(self.child.stdin.as_mut().unwrap(), "go on").unwrap();
    }

    /// Waits for its end. Gives what its steps came to: done, failed and unmade.
    fn end(mut self) -> Vec<[usize; 3]> {
        let lines: Vec<String> = self.lines.by_ref().lines().map(Result::unwrap).collect();
        assert!(self.child.wait().unwrap().success());
        let step = |line: &String| {
            let numbers =
                line.strip_prefix("step ").unwrap().split(' ').map(|number| number.parse().unwrap());
            numbers.collect::<Vec<_>>().try_into().unwrap()
        };
        lines.iter().map(step).collect()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if self.child.try_wait().unwrap().is_none() {
            self.child.kill().unwrap();
            self.child.wait().unwrap();
        }
    }
}

/// Written an hour ago, so that everything is due now.
async fn opened_earlier(store: &Store, index: &str) -> Memory {
    let clock = Clock::of(|| Timestamp::from_micros(Clock::system().now().micros() - 3_600_000_000));
    let options = Options { clock, index: Some(index::open(index)), ..Options::default() };
    Memory::open_with(&store.address, options).await.unwrap()
}

/// Facts to be written, replaced and removed, all of them while the index could not be reached.
async fn let_facts_wait(store: &Store) -> Vec<FactId> {
    let caller = script::caller().unwrap();
    let memory = opened_earlier(store, &store.index_address()).await;
    let mut facts = many::write(&memory, &caller, OLD, many::numbered).await;
    let nowhere = store.folder().join("no such folder/index.db");
    let memory = opened_earlier(store, nowhere.to_str().unwrap()).await;
    for (number, fact) in facts.iter().enumerate() {
        if number.is_multiple_of(2) {
            memory.forget(&caller, None, *fact, None, None).await.unwrap();
        } else {
            let content = Some(json!(format!("crate number {number} is empty")));
            let draft = Draft { fact: Some(*fact), content, ..Draft::default() };
            memory.remember(&caller, None, draft).await.unwrap();
        }
    }
    let new = |number| many::numbered(OLD + number);
    facts.extend(many::write(&memory, &caller, NEW, new).await);
    let outbox = memory.outbox(&Which::default()).await.unwrap();
    assert_eq!(outbox.waiting, u64::try_from(OLD + NEW).unwrap());
    facts
}

/// Everything that a late write would change.
#[derive(Debug, PartialEq)]
struct Image {
    rows: Vec<Entry>,
    versions: Vec<Version>,
    changes: Vec<u64>,
}

async fn image(store: &Store, memory: &Memory, facts: &[FactId]) -> Image {
    let tenant = script::caller().unwrap().tenant().clone();
    let model = Some(worker::model().model().await.unwrap().to_string());
    let span = Span { tenant: tenant.clone(), owner: None, after: None, until: None, model };
    let index = index::open(&store.index_address());
    let keys: Vec<_> = facts.iter().map(|fact| (tenant.clone(), *fact)).collect();
    let reports = memory.index_reports(&tenant).await.unwrap();
    Image {
        rows: index.entries(&span).await.unwrap(),
        versions: index.versions(Source::Fact, &keys).await.unwrap(),
        changes: reports.iter().map(|report| report.changes).collect(),
    }
}

async fn is_whole(memory: &Memory) {
    let outbox = memory.outbox(&Which::default()).await.unwrap();
    assert_eq!((outbox.waiting, outbox.failed, outbox.blocked), (0, 0, 0));
    let tenant = script::caller().unwrap().tenant().clone();
    let checked = memory.check_index(&tenant, None, |_| {}).await.unwrap();
    assert!(checked.is_clean(), "{checked:?}");
    let rows = u64::try_from(OLD / 2 + NEW).unwrap();
    assert_eq!((checked.total.facts, checked.total.rows), (rows, rows));
}

on_both_engines! {
    async fn processes_that_share_what_waits_do_it_once_in_effect(store: Store) {
        let processes = if store.engine() == Engine::Sqlite { 4 } else { 8 };
        let facts = let_facts_wait(&store).await;
        let (mut killed, mut sleeping) = (Worker::start_held(&store), Worker::start_held(&store));
        killed.signal("KILL");
        assert!(!killed.child.wait().unwrap().success());
        sleeping.signal("STOP");
        let others: Vec<Worker> = (2..processes).map(|_| Worker::start(&store, "run")).collect();
        let shares: Vec<usize> =
            others.into_iter().map(|other| other.end().iter().map(|[done, ..]| done).sum()).collect();
        println!("{:?}: the others did {shares:?}", store.engine());
        let embedder: Arc<dyn Embedder> = Arc::new(worker::model());
        let options = Options { embedder: Some(embedder), ..Options::default() };
        let memory = Memory::open_with(&store.address, options).await.unwrap();
        is_whole(&memory).await;
        let before = image(&store, &memory, &facts).await;
        sleeping.signal("CONT");
        sleeping.go_on();
        let held = usize::try_from(BATCH).unwrap();
        assert_eq!(sleeping.end(), [[0, 0, held]], "what it says late is refused");
        assert_eq!(image(&store, &memory, &facts).await, before);
        is_whole(&memory).await;
    }
}
