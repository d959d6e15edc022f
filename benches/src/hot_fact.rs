//! One fact with very many revisions: reading and writing it must not slow down.

use std::time::Instant;

use serde_json::json;
use truthkeeper::{Caller, Draft, Id, Memory, Times as When, Timestamp};

use crate::Outcome;
use crate::store::{draft, tenant};
use crate::timing::Times;

pub(crate) async fn run(revisions: usize) -> Outcome {
    let folder = tempfile::tempdir_in(".")?;
    let memory = Memory::open(&folder.path().join("hot.db").to_string_lossy()).await?;
    let caller = Caller::within(
        &truthkeeper::Scope::parse_path("scope", &tenant(), "user:bench")?,
        truthkeeper::Actor::User { id: Id::parse("user", "bench")? },
    )?;
    let scope = truthkeeper::Scope::parse_path("scope", &tenant(), "user:bench")?;
    let fact = memory.remember(&caller, None, Draft { scope: Some(scope), ..draft(0) }).await?.fact;
    let (mut first, mut last) = (Times::default(), Times::default());
    let mut moments = Vec::new();
    for number in 1..revisions {
        let content = Some(json!({ "text": format!("version {number} of the fact") }));
        let start = Instant::now();
        memory.remember(&caller, None, Draft { fact: Some(fact), content, ..Draft::default() }).await?;
        if number <= 500 {
            first.add(start);
        } else if number + 500 >= revisions {
            last.add(start);
        }
        if number % 10 == 0 {
            moments.push(memory.get(&caller, fact, When::default()).await?.revision.recorded_at);
        }
    }
    println!("{revisions} revisions of one fact");
    println!("  write, first 500: {}", first.shown());
    println!(
        "  write, last 500:  {}   {:.2} of the first",
        last.shown(),
        last.micros(500) / first.micros(500)
    );
    let mut current = Times::default();
    for _ in 0..5_000 {
        let start = Instant::now();
        memory.get(&caller, fact, When::default()).await?;
        current.add(start);
    }
    println!("  read, current:    {}", current.shown());
    let mut past = Times::default();
    for moment in moments.iter().cycle().take(5_000) {
        let times = When { as_of: Some(Timestamp::from_micros(moment.micros())), valid_at: None };
        let start = Instant::now();
        memory.get(&caller, fact, times).await?;
        past.add(start);
    }
    println!("  read, as of:      {}", past.shown());
    Ok(())
}
