//! A memory on a store, with a clock that is moved by hand, and those who call it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use serde_json::{Value, json};
use truthkeeper::{
    Actor, Caller, Clock, Cursor, Draft, FactId, FactType, Filter, Id, Memory, MemoryError, Mode, Outcome,
    Reach, Reader, Recall, Recalled, Receipt, RequestKey, RevisionNumber, Scope, Seen, Sight, State, Text,
    Times, Timestamp, Writer,
};
use truthkeeper_tests::Store;

pub(super) const SECOND: i64 = 1_000_000;
pub(super) const DAY: i64 = 86_400 * SECOND;

/// A memory on a store of its own. It is 10:00 on the first of November until the test says otherwise.
pub(super) struct Scene {
    pub(super) memory: Memory,
    pub(super) store: Store,
    pub(super) hand: Arc<AtomicI64>,
}

pub(super) fn start() -> Timestamp {
    time("2026-11-01T10:00:00Z")
}

pub(super) fn time(text: &str) -> Timestamp {
    Timestamp::parse("time", text).unwrap()
}

pub(super) fn id(text: &str) -> Id {
    Id::parse("id", text).unwrap()
}

pub(super) fn number(number: u32) -> RevisionNumber {
    RevisionNumber::new(number).unwrap()
}

pub(super) fn key(text: &str) -> RequestKey {
    RequestKey::parse(text).unwrap()
}

pub(super) fn kind(name: &str) -> FactType {
    FactType::parse(name).unwrap()
}

pub(super) fn local() -> Id {
    id("local")
}

/// A scope of tenant `local`, such as `user:ann`.
pub(super) fn scope(path: &str) -> Scope {
    Scope::parse_path("scope", &local(), path).unwrap()
}

/// A user who is what `path` names.
pub(super) fn user(name: &str, path: &str) -> Caller {
    Caller::within(&scope(path), Actor::User { id: id(name) }).unwrap()
}

pub(super) fn ann() -> Caller {
    user("ann", "user:ann")
}

pub(super) fn bob() -> Caller {
    user("bob", "user:bob")
}

/// Ann, who may also read and write what others have.
pub(super) fn admin() -> Caller {
    Caller {
        reader: Reader { tenant: local(), sight: Sight::Admin },
        writer: Writer { tenant: local(), reach: Reach::Admin },
        ..ann()
    }
}

/// An agent that works for Ann.
pub(super) fn agent() -> Caller {
    agent_named("scout")
}

pub(super) fn agent_named(name: &str) -> Caller {
    Caller::within(&scope("user:ann"), Actor::Agent { id: id(name), version: None }).unwrap()
}

/// A program that imports Ann's older memories.
pub(super) fn import() -> Caller {
    Caller { actor: Actor::Migration { id: id("import") }, ..agent() }
}

pub(super) fn operator() -> Caller {
    Caller::operator(local(), id("olga"))
}

/// The JSON of a draft for Ann with `fields` laid over it. With a fact id it is a change of that fact.
pub(super) fn draft(fields: Value) -> Draft {
    let mut draft = json!({"content": {"text": "tea, not coffee"}});
    if fields.get("fact").is_none() {
        draft["type"] = json!("acme.preference");
        draft["scope"] = json!({"userId": "ann"});
    }
    let Value::Object(fields) = fields else { panic!("fields are an object") };
    draft.as_object_mut().unwrap().extend(fields);
    Draft::from_json(draft, &local()).unwrap()
}

pub(super) fn evidence(message: &str) -> Value {
    json!([{"kind": "message", "id": message}])
}

pub(super) fn says(text: &str) -> Value {
    json!({"content": {"text": text}})
}

/// The text of what was seen, where there is one.
pub(super) fn text(seen: &Seen) -> String {
    let content = seen.revision.content().expect("its words are there");
    content.value()["text"].as_str().expect("it has a text").to_owned()
}

pub(super) fn texts(recalled: &Recalled) -> Vec<String> {
    let text = |fact: &truthkeeper::RecalledFact| {
        fact.revision.content().unwrap().value()["text"].as_str().unwrap().to_owned()
    };
    recalled.facts.iter().map(text).collect()
}

impl Scene {
    pub(super) async fn on(store: Store) -> Self {
        let hand = Arc::new(AtomicI64::new(start().micros()));
        let memory = Memory::open_with(&store.address, clock(&hand)).await.unwrap();
        Self { memory, store, hand }
    }

    /// The same store as another process opens it.
    pub(super) async fn opened_again(&self) -> Memory {
        Memory::open_with(&self.store.address, clock(&self.hand)).await.unwrap()
    }

    /// The clock that the test moves.
    pub(super) fn clock(&self) -> Clock {
        clock(&self.hand)
    }

    pub(super) fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.hand.load(Ordering::SeqCst))
    }

    /// The time now, or of the last event where that is later.
    pub(super) async fn recorded(&self) -> Timestamp {
        self.memory.now(&local()).await.unwrap()
    }

    pub(super) fn set(&self, at: Timestamp) {
        self.hand.store(at.micros(), Ordering::SeqCst);
    }

    /// Moves the clock on, or back.
    pub(super) fn pass(&self, micros: i64) -> Timestamp {
        self.set(after(self.now(), micros));
        self.now()
    }

    pub(super) async fn write(&self, caller: &Caller, fields: Value) -> Result<Receipt, MemoryError> {
        self.memory.remember(caller, None, draft(fields)).await
    }

    /// Writes what must be taken.
    pub(super) async fn wrote(&self, caller: &Caller, fields: Value) -> Receipt {
        self.write(caller, fields).await.unwrap()
    }

    /// A fact of Ann's that says `text`.
    pub(super) async fn say(&self, text: &str) -> FactId {
        let receipt = self.wrote(&ann(), says(text)).await;
        assert_eq!(receipt.outcome, Outcome::Created);
        receipt.fact
    }

    /// Ann changes what a fact says.
    pub(super) async fn change(&self, fact: FactId, text: &str) -> Receipt {
        self.wrote(&ann(), json!({"fact": fact, "content": {"text": text}})).await
    }

    /// A contested fact of Ann's: she said `tea`, her agent doubts it.
    pub(super) async fn contested(&self) -> FactId {
        let fact = self.wrote(&ann(), json!({"key": "drink", "content": {"text": "tea"}})).await.fact;
        let doubt = self.wrote(&agent(), json!({"fact": fact, "content": {"text": "coffee"}})).await;
        assert!(matches!(doubt.outcome, Outcome::ConflictOpened { .. }), "{doubt:?}");
        fact
    }

    pub(super) async fn forget(&self, fact: FactId) {
        self.memory.forget(&ann(), None, fact, None, None).await.unwrap();
    }

    pub(super) async fn get(&self, fact: FactId) -> Result<Seen, MemoryError> {
        self.memory.get(&ann(), fact, Times::default()).await
    }

    /// What a fact says now.
    pub(super) async fn text(&self, fact: FactId) -> String {
        text(&self.get(fact).await.unwrap())
    }

    /// What Ann is told at other times, if anything.
    pub(super) async fn text_at(&self, fact: FactId, times: Times) -> Option<String> {
        match self.memory.get(&ann(), fact, times).await {
            Ok(seen) => seen.revision.content().is_some().then(|| text(&seen)),
            Err(MemoryError::NotFound | MemoryError::NotCurrent { .. }) => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// Every revision of a fact of Ann's with its state, newest first.
    pub(super) async fn states(&self, fact: FactId) -> Vec<(u32, State)> {
        let all = self.memory.revisions(&ann(), fact, None, 100).await.unwrap();
        all.iter().map(|seen| (seen.revision.number.get(), seen.state)).collect()
    }

    /// What Ann finds with those words, and what was withheld.
    pub(super) async fn recall(&self, query: &str) -> Recalled {
        self.memory.recall(&ann(), &Recall::query(query).limit(100)).await.unwrap()
    }

    pub(super) async fn newest(&self) -> Recalled {
        self.memory.recall(&ann(), &Recall::newest().mode(Mode::List).limit(100)).await.unwrap()
    }

    /// What `caller` lists in one state.
    pub(super) async fn list(&self, caller: &Caller, state: State) -> Vec<Seen> {
        self.list_at(caller, state, Times::default()).await
    }

    pub(super) async fn list_at(&self, caller: &Caller, state: State, times: Times) -> Vec<Seen> {
        let filter = Filter { state, ..Filter::current() };
        let mut all = Vec::new();
        let mut next: Option<Cursor> = None;
        loop {
            let page = self.memory.list(caller, &filter, times, next.as_ref(), 100).await.unwrap();
            all.extend(page.items);
            match page.next {
                Some(cursor) => next = Some(cursor),
                None => return all,
            }
        }
    }

    pub(super) async fn events(&self) -> u64 {
        self.memory.events().await.unwrap()
    }

    /// The ledger proves itself.
    pub(super) async fn check(&self) {
        assert_eq!(self.memory.check(|_| {}).await.unwrap().problems, []);
    }

    /// How many rows of a fact the index holds, and of which revision.
    pub(super) async fn rows(&self, fact: FactId) -> Vec<u32> {
        let index = index::open(&self.store.index_address());
        let rows = index.rows(&local(), fact).await.unwrap();
        rows.iter().map(|row| row.revision.get()).collect()
    }
}

pub(super) fn after(at: Timestamp, micros: i64) -> Timestamp {
    Timestamp::from_micros(at.micros() + micros)
}

pub(super) fn as_of(at: Timestamp) -> Times {
    Times { as_of: Some(at), valid_at: None }
}

pub(super) fn valid_at(at: Timestamp) -> Times {
    Times { as_of: None, valid_at: Some(at) }
}

pub(super) fn stored(text: &str) -> Text {
    Text::stored(text.to_owned())
}

fn clock(hand: &Arc<AtomicI64>) -> Clock {
    let hand = Arc::clone(hand);
    Clock::of(move || Timestamp::from_micros(hand.load(Ordering::SeqCst)))
}

/// The call was refused for that reason, and no other.
macro_rules! refused {
    ($result:expr, $pattern:pat $(if $guard:expr)?) => {
        match $result {
            Err($pattern) $(if $guard)? => {}
            other => panic!("expected {}, got {other:?}", stringify!($pattern)),
        }
    };
}
pub(super) use refused;
