//! What others write changes neither the order nor the scores of what one owner recalls.

use index::{Around, Row, Source, Write};
use serde_json::json;
use truthkeeper::{
    Access, Actor, Caller, Draft, FactId, FactType, Id, Memory, Provenance, Reach, Reader, Recall,
    RevisionNumber, Scope, Sight, Text, Writer,
};
use truthkeeper_tests::{Engine, Store, engines, on_both_engines, soak_time};
use uuid::Uuid;

const OTHERS_ROWS: u32 = 20_000;
/// A row is several round trips to a server; the soak writes them all.
const OTHERS_ROWS_ON_POSTGRES: u32 = 5_000;
const ROWS_AT_ONCE: u32 = 500;
const OWN: [&str; 8] = [
    "Ann drinks tea in the morning and coffee at night",
    "Ann drinks coffee when there is no tea",
    "the tea house at the harbour closes at night",
    "coffee, coffee and nothing but coffee",
    "Ann walks to the harbour in the morning",
    "nobody likes the morning but Ann",
    "a long note about tea, about coffee, about the harbour, about the night and about everything that Ann likes",
    "night trains to the harbour",
];
const QUERIES: [&str; 5] =
    ["tea", "coffee at night", "the harbour in the morning", "Ann", "everything about my tea"];

fn id(text: &str) -> Id {
    Id::parse("id", text).unwrap()
}

fn ann() -> Caller {
    let tenant = id("acme");
    Caller {
        reader: Reader {
            tenant: tenant.clone(),
            sight: Sight::Within(Access { users: [id("ann")].into(), ..Access::default() }),
        },
        writer: Writer { tenant, reach: Reach::Admin },
        actor: Actor::User { id: id("ann") },
    }
}

/// Facts in order, with the bits of their scores.
async fn recalled(memory: &Memory) -> Vec<Vec<(FactId, u64)>> {
    let mut all = Vec::new();
    for query in QUERIES {
        let recalled = memory.recall(&ann(), &Recall::query(query)).await.unwrap();
        assert!(!recalled.facts.is_empty());
        let scored = recalled.facts.iter().map(|fact| (fact.case.head.fact, fact.score.unwrap().to_bits()));
        all.push(scored.collect());
    }
    all
}

/// A place in a conversation; everybody's have the same names.
fn around(sequence: u32) -> Around {
    let speaker = ["ann", "user"][usize::from(sequence.is_multiple_of(2))];
    Around {
        conversation: Some(id("t")),
        sequence: Some(sequence),
        message: Some(id("m")),
        speaker: Some(id(speaker)),
    }
}

/// A row of somebody else: other users, projects and conversations of the tenant, and another tenant.
fn of_another(number: u32) -> Row {
    let mut scope = Scope::tenant(id(if number.is_multiple_of(5) { "other" } else { "acme" }));
    let who = Some(id(&format!("other-{}", number % 97)));
    match number % 4 {
        0 => scope.user = who,
        1 => scope.project = who,
        2 => scope.thread = who,
        _ => (scope.project, scope.participant) = (who, Some(id("ann"))),
    }
    let own = OWN[usize::try_from(number).unwrap() % OWN.len()];
    Row {
        source: Source::Fact,
        fact: FactId::new(Uuid::from_u128(u128::from(number))),
        revision: RevisionNumber::FIRST,
        kind: FactType::parse("acme.preference").unwrap(),
        scope,
        digest: format!("digest {number}"),
        text: Text::stored(format!("{own} tea tea number {number}")),
        around: around(number % 7),
        vectors: Vec::new(),
    }
}

on_both_engines! {
    async fn what_others_write_changes_nobodys_order(store: Store) {
        let rows = match store.engine() {
            Engine::Sqlite => OTHERS_ROWS,
            Engine::Postgres => OTHERS_ROWS_ON_POSTGRES,
        };
        others_write(&store, rows).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "soak"]
async fn soak_order() {
    let (began, time) = (std::time::Instant::now(), soak_time());
    let mut rows = 0;
    while rows == 0 || began.elapsed() < time {
        for engine in engines() {
            others_write(&Store::on(engine), OTHERS_ROWS).await;
        }
        rows += OTHERS_ROWS;
    }
    println!("{rows} rows of others on each engine in {:.1?}", began.elapsed());
}

async fn others_write(store: &Store, rows: u32) {
    let memory = Memory::open(&store.address).await.unwrap();
    for (sequence, text) in (0..).zip(OWN) {
        let Around { conversation, sequence, message, speaker } = around(sequence);
        let draft = Draft {
            kind: Some("acme.preference".to_owned()),
            scope: Some(Scope { user: Some(id("ann")), ..Scope::tenant(id("acme")) }),
            content: Some(json!(text)),
            provenance: Provenance {
                thread: conversation,
                sequence,
                message,
                speaker,
                ..Provenance::default()
            },
            ..Draft::default()
        };
        memory.remember(&ann(), None, draft).await.unwrap();
    }
    let before = recalled(&memory).await;
    // Straight into the copy: what is found, and how it is scored, is decided there.
    let address = match store.engine() {
        Engine::Sqlite => store.folder().join("memory.index.db").to_str().unwrap().to_owned(),
        Engine::Postgres => store.address.clone(),
    };
    let index = index::open(&address);
    for start in (0..rows).step_by(usize::try_from(ROWS_AT_ONCE).unwrap()) {
        let put = (start..start + ROWS_AT_ONCE).map(|number| Write::put(of_another(number)));
        index.replace(&put.collect::<Vec<_>>()).await.unwrap();
        if start % 4_000 == 0 {
            assert_eq!(recalled(&memory).await, before, "after {start} rows of others");
        }
    }
    assert_eq!(recalled(&memory).await, before);
    let removed = (0..rows).step_by(3).map(|number| {
        let Row { scope, source, fact, .. } = of_another(number);
        Write::remove(scope.tenant, source, fact)
    });
    index.replace(&removed.collect::<Vec<_>>()).await.unwrap();
    assert_eq!(recalled(&memory).await, before, "after others removed rows");
}
