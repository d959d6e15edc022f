//! Writing made-up facts into a ledger.

use fact::{Actor, Draft, FactId, FactType, Id, Proposal, RevisionNumber, Scope, Text, Timestamp};
use index::{Around, Row, Source, Vectors, Write};
use ledger::{Ledger, Record, Recorded};
use reconcile::{Fresh, Moment, Policy};
use serde_json::json;
use tokio::task::JoinSet;
use uuid::Uuid;

pub(crate) type Fault = Box<dyn std::error::Error + Send + Sync>;

/// The tenant of every bench.
pub(crate) fn tenant() -> Id {
    Id::parse("tenant", "bench").expect("a plain id")
}

/// Whose facts they are.
pub(crate) fn actor() -> Actor {
    Actor::User { id: Id::parse("user", "bench").expect("a plain id") }
}

/// A time that rises with `number`.
pub(crate) fn time(number: usize) -> Timestamp {
    Timestamp::from_micros(1_700_000_000_000_000 + i64::try_from(number).unwrap_or(0) * 1_000)
}

/// What the fact of that number says: some 70 characters.
pub(crate) fn text(number: usize) -> String {
    format!("Fact {number}: the pump in hall {} was serviced and runs at {} bar.", number % 97, number % 13)
}

/// The fact of that number.
pub(crate) fn draft(number: usize) -> Draft {
    Draft {
        kind: Some("bench.fact".to_owned()),
        content: Some(json!({ "text": text(number) })),
        ..Draft::default()
    }
}

/// Decides and records a new fact.
pub(crate) async fn append(ledger: &Ledger, number: usize) -> Result<FactId, Fault> {
    let now = time(number);
    let proposal = Proposal::parse(draft(number), &tenant(), now)?;
    let actor = actor();
    let fresh = Fresh {
        fact: FactId::new(Uuid::now_v7()),
        conflict: fact::ConflictId::new(Uuid::now_v7()),
        review: fact::ReviewId::new(Uuid::now_v7()),
    };
    let decision = reconcile::decide(
        None,
        &proposal,
        &Policy::default(),
        &Moment { now, actor: &actor, fresh, sources: None },
    )?;
    let entropy = salt(number);
    let record =
        Record { tenant: tenant(), actor, now, entropy, change: decision.change, request: None, lease: None };
    match ledger.record(record).await? {
        Recorded::Appended { .. } => Ok(decision.fact),
        Recorded::Replayed { .. } => Err("nothing was asked before".into()),
    }
}

fn salt(number: usize) -> [u8; 32] {
    let mut salt = [7; 32];
    salt[..8].copy_from_slice(&number.to_be_bytes());
    salt
}

/// Records facts `from..until` with `callers` at once; gives their ids.
pub(crate) async fn fill(
    ledger: &Ledger,
    from: usize,
    until: usize,
    callers: usize,
) -> Result<Vec<FactId>, Fault> {
    let mut ids = Vec::with_capacity(until - from);
    let mut running = JoinSet::new();
    for number in from..until {
        if running.len() == callers
            && let Some(done) = running.join_next().await
        {
            ids.push(done??);
        }
        let ledger = ledger.clone();
        running.spawn(async move { append(&ledger, number).await });
    }
    while let Some(done) = running.join_next().await {
        ids.push(done??);
    }
    Ok(ids)
}

/// A row of the index that is a user's.
pub(crate) fn row(
    owner: &str,
    number: usize,
    text: String,
    vectors: Option<Vectors>,
) -> Result<Write, Fault> {
    Ok(Write::put(Row {
        source: Source::Fact,
        fact: FactId::new(Uuid::now_v7()),
        revision: RevisionNumber::FIRST,
        kind: FactType::parse("bench.fact")?,
        scope: Scope::parse_path("scope", &tenant(), &format!("user:{owner}"))?,
        digest: number.to_string(),
        text: Text::stored(text),
        around: Around::default(),
        vectors: vectors.into_iter().collect(),
    }))
}
