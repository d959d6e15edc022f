//! No call of the façade leaves a transaction open: nothing keeps the log from being emptied afterwards.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

use serde_json::json;
use sqlx::sqlite::SqliteConnection;
use sqlx::{Connection as _, PgConnection, Row as _};
use truthkeeper::{
    Actor, Caller, Clock, Cursor, Draft, FactId, Filter, Id, Memory, Recall, RevisionNumber, Times, Timestamp,
};
use truthkeeper_tests::{Engine, Store, on_both_engines, script};

/// A connection that is being closed may take that long to be gone.
const GONE_WITHIN: Duration = Duration::from_secs(5);

struct Bystander<'a> {
    store: &'a Store,
    memory: Memory,
    caller: Caller,
    written: u32,
}

impl Bystander<'_> {
    async fn write(&mut self) -> FactId {
        self.written += 1;
        let draft = Draft {
            kind: Some("acme.row".to_owned()),
            key: Some(format!("row {}", self.written)),
            content: Some(json!(format!("row number {}", self.written))),
            ..Draft::default()
        };
        self.memory.remember(&self.caller, None, draft).await.unwrap().fact
    }

    /// After another write, nobody may be reading what was before it.
    async fn sees_nobody(&mut self, after: &str) {
        self.write().await;
        let start = Instant::now();
        while self.somebody_is_left().await {
            assert!(start.elapsed() < GONE_WITHIN, "{after} left a transaction open");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn somebody_is_left(&self) -> bool {
        match self.store.engine() {
            Engine::Sqlite => {
                let index = self.store.folder().join("memory.index.db");
                !is_emptied(&self.store.address).await || !is_emptied(index.to_str().unwrap()).await
            }
            Engine::Postgres => {
                let mut connection = PgConnection::connect(&self.store.address).await.unwrap();
                let row = sqlx::query(
                    "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() \
                     AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'",
                )
                .fetch_one(&mut connection)
                .await
                .unwrap();
                row.get::<i64, _>(0) > 0
            }
        }
    }
}

async fn is_emptied(path: &str) -> bool {
    let mut connection = SqliteConnection::connect(&format!("sqlite://{path}")).await.unwrap();
    sqlx::query("PRAGMA busy_timeout = 0").execute(&mut connection).await.unwrap();
    let row = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut connection).await.unwrap();
    let busy: i64 = row.get(0);
    connection.close().await.unwrap();
    busy == 0
}

fn operator() -> Caller {
    let id = |text: &str| Id::parse("id", text).unwrap();
    Caller::operator(id(script::TENANT), id("olga"))
}

on_both_engines! {
    async fn no_call_leaves_a_transaction_open(store: Store) {
        let memory = Memory::open(&store.address).await.unwrap();
        let mut bystander =
            Bystander { store: &store, memory: memory.clone(), caller: script::caller().unwrap(), written: 0 };
        let fact = bystander.write().await;
        bystander.sees_nobody("remember").await;
        let caller = operator();
        let first = RevisionNumber::FIRST;
        let past = Times { as_of: Some(Timestamp::from_micros(1)), valid_at: None };
        let agent = Caller {
            actor: Actor::Agent { id: Id::parse("id", "helper").unwrap(), version: None },
            ..script::caller().unwrap()
        };
        let contradiction =
            Draft { fact: Some(fact), content: Some(json!("something else")), ..Draft::default() };
        let filter = Filter::current();
        let foreign = Cursor::from_text("of another list");

        macro_rules! calls {
            ($($name:literal: $call:expr;)+) => {$(
                drop($call.await);
                bystander.sees_nobody($name).await;
            )+};
        }
        calls! {
            "get": memory.get(&caller, fact, Times::default());
            "get in the past": memory.get(&caller, fact, past);
            "get of nothing": memory.get(&caller, nobodys(), Times::default());
            "revision": memory.revision(&caller, fact, first);
            "revisions": memory.revisions(&caller, fact, None, 10);
            "list": memory.list(&caller, &filter, Times::default(), None, 2);
            "list with a foreign cursor": memory.list(&caller, &filter, Times::default(), Some(&foreign), 2);
            "conflicts": memory.conflicts(&caller, 10);
            "held back": memory.held_back(&caller);
            "recall": memory.recall(&caller, &Recall::query("row"));
            "recall of the newest": memory.recall(&caller, &Recall::newest());
            "recall of too much": memory.recall(&caller, &Recall::newest().limit(10_000));
            "counts": memory.counts(&caller);
            "events": memory.events();
            "check": memory.check(|_| {});
            "dump": memory.dump(|_| Ok(()), |_| {});
            "dump into a broken pipe": memory.dump(|_| Err(std::io::ErrorKind::BrokenPipe.into()), |_| {});
            "load": memory.load([Ok(String::new())].into_iter(), |_| {});
            "project": memory.project_all(Clock::system().now());
            "verify": memory.verify(&caller, None, fact, None);
            "verify what another expects": memory.verify(&caller, None, fact, Some(first));
            "hold": memory.hold(&caller, None, fact, true);
            "forget what is held": memory.forget(&caller, None, fact, None, None);
            "lift": memory.hold(&caller, None, fact, false);
            "admit": memory.admit(&caller, None, fact);
            "forget": memory.forget(&caller, None, fact, None, None);
            "restore": memory.restore(&caller, None, fact, None);
            "contradict": memory.remember(&agent, None, contradiction);
            "erase": memory.erase(&caller, None, fact, None);
            "erase again": memory.erase(&caller, None, fact, None);
            "rebuild": memory.rebuild(|_| {});
        }
    }

    async fn no_call_that_is_given_up_leaves_a_transaction_open(store: Store) {
        let memory = Memory::open(&store.address).await.unwrap();
        let mut bystander =
            Bystander { store: &store, memory: memory.clone(), caller: script::caller().unwrap(), written: 0 };
        let fact = bystander.write().await;
        let caller = operator();
        let filter = Filter::current();
        for polls in [1, 2, 4, 8, 16, 32] {
            give_up(memory.get(&caller, fact, Times::default()), polls).await;
            give_up(memory.revisions(&caller, fact, None, 10), polls).await;
            give_up(memory.list(&caller, &filter, Times::default(), None, 10), polls).await;
            give_up(memory.recall(&caller, &Recall::query("row")), polls).await;
            give_up(memory.check(|_| {}), polls).await;
            give_up(memory.dump(|_| Ok(()), |_| {}), polls).await;
            give_up(memory.load([Ok(String::new())].into_iter(), |_| {}), polls).await;
            give_up(memory.verify(&caller, None, fact, None), polls).await;
            give_up(memory.erase(&caller, None, fact, Some(RevisionNumber::FIRST)), polls).await;
            bystander.sees_nobody(&format!("a call that was given up after {polls} polls")).await;
        }
    }
}

async fn give_up<T>(call: impl Future<Output = T>, polls: u32) {
    let mut call = pin!(call);
    for _ in 0..polls {
        if call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
            return;
        }
        tokio::time::sleep(Duration::from_micros(200)).await;
    }
}

fn nobodys() -> FactId {
    FactId::parse("00000000-0000-7000-8000-000000000000").unwrap()
}
