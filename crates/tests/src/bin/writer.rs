//! A process that writes, for tests of what happens when it dies, when others write too, or when space runs out.
//! Each line that it prints is true once it is printed.
#![expect(clippy::print_stdout, reason = "what it acknowledges is read by the test")]

use std::env::args;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::Path;
use std::time::Instant;

use projection::Settings;
use serde_json::json;
use truthkeeper::{Draft, FactId, Memory, MemoryError, Receipt, Sealed};
use truthkeeper_tests::notes;
use truthkeeper_tests::script::{self, Script};
use truthkeeper_tests::worker::{self, Work};

/// Acts after which a writer that nobody killed ends by itself.
const ACTS_MAX: u32 = 600;
const BYTES_OF_WORDS_MAX: usize = 16_000;

#[tokio::main(worker_threads = 2)]
async fn main() -> Result<(), MemoryError> {
    let words: Vec<String> = args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["script", address] => follow_script(address).await,
        ["load", address, path] => load(address, path).await,
        ["race", address, name, fact, own, rounds, tasks] => {
            race(address, name, fact, (number(own), number(rounds)), number(tasks)).await
        }
        ["fill", address, bytes] => fill(address, number(bytes)).await,
        ["import", address, folder] => import(address, folder).await,
        ["adopt", address, sealed] => adopt(address, sealed).await,
        ["roll-back", address] => roll_back(address).await,
        ["rebuild-index", address] => rebuild_index(address).await,
        ["repair-index", address] => repair_index(address).await,
        ["project", address, index, batch, lease_millis, holds] => {
            let lease_micros = 1_000 * number::<i64>(lease_millis);
            let settings = Settings { batch_operations: number(batch), lease_micros, ..Settings::default() };
            let work = Work { index: (*index).to_owned(), settings, holds: *holds == "hold" };
            worker::work(address, work, say).await.expect("the ledger answers");
            Ok(())
        }
        other => panic!("no such work: {other:?}"),
    }
}

fn number<T: std::str::FromStr>(word: &str) -> T {
    word.parse().unwrap_or_else(|_| panic!("{word} is no number"))
}

/// Printed and flushed, whatever becomes of this process afterwards.
fn say(line: &str) {
    println!("{line}");
    io::stdout().flush().expect("somebody reads what is acknowledged");
}

async fn follow_script(address: &str) -> Result<(), MemoryError> {
    let memory = Memory::open(address).await?;
    let mut script = Script { memory, facts: std::collections::BTreeMap::new() };
    for act in 0..ACTS_MAX {
        let fact = script.follow(act).await?;
        say(&fact.map_or_else(|| format!("{act} -"), |fact| format!("{act} {fact}")));
    }
    Ok(())
}

async fn load(address: &str, path: &str) -> Result<(), MemoryError> {
    let memory = Memory::open(address).await?;
    let dump = File::open(path).expect("the test wrote the dump");
    let events = memory.load(BufReader::new(dump).lines(), |_| {}).await?;
    say(&format!("loaded {events}"));
    Ok(())
}

async fn import(address: &str, folder: &str) -> Result<(), MemoryError> {
    let account = notes::bring(&Memory::open(address).await?, Path::new(folder)).await?;
    say(&format!("took {}", account.taken));
    Ok(())
}

async fn adopt(address: &str, sealed: &str) -> Result<(), MemoryError> {
    let sealed = std::fs::read_to_string(sealed).expect("the test wrote the review");
    let sealed = Sealed::parse(&sealed).expect("nobody changed it");
    let applied = Memory::open(address).await?.apply_review(&notes::ann()?, &sealed, |_| {}).await?;
    say(&format!("did {}", applied.steps.len()));
    Ok(())
}

async fn roll_back(address: &str) -> Result<(), MemoryError> {
    let (memory, caller) = (Memory::open(address).await?, notes::ann()?);
    for adoption in memory.adoptions(&caller).await? {
        memory.roll_back(&caller, adoption.adoption, |_| {}).await?;
        say(&format!("took back {}", adoption.adoption));
    }
    Ok(())
}

async fn rebuild_index(address: &str) -> Result<(), MemoryError> {
    let memory = Memory::open(address).await?;
    let rebuilt = memory.rebuild_index(script::caller()?.tenant(), |_| {}).await?;
    say(&format!("made {}, left {}", rebuilt.made, rebuilt.left));
    Ok(())
}

async fn repair_index(address: &str) -> Result<(), MemoryError> {
    let memory = Memory::open(address).await?;
    let repaired = memory.repair_index(script::caller()?.tenant(), None, |_| {}).await?;
    say(&format!("repaired {repaired}"));
    Ok(())
}

/// Each task writes facts of its own, and between them takes part in every round about the common fact.
async fn race(
    address: &str,
    name: &str,
    fact: &str,
    (own, rounds): (u32, u32),
    tasks: u32,
) -> Result<(), MemoryError> {
    let fact = FactId::parse(fact)?;
    let mut running = Vec::new();
    for task in 0..tasks {
        let memory = Memory::open(address).await?;
        let name = format!("{name}-{task}");
        running.push(tokio::spawn(async move { compete(&memory, &name, fact, own, rounds).await }));
    }
    for task in running {
        task.await.expect("no task panics")?;
    }
    Ok(())
}

async fn compete(
    memory: &Memory,
    name: &str,
    fact: FactId,
    own: u32,
    rounds: u32,
) -> Result<(), MemoryError> {
    let caller = script::caller()?;
    let began = Instant::now();
    let mut slowest = std::time::Duration::ZERO;
    let (mut round, mut written) = (0, 0);
    while written < own || round < rounds {
        let start = Instant::now();
        if written * rounds <= round * own && written < own {
            let receipt = memory.remember(&caller, None, of_its_own(name, written)).await?;
            say(&format!("wrote {} {name} {written}", receipt.fact));
            written += 1;
        } else {
            round += 1;
            match memory.remember(&caller, None, in_round(name, fact, round)).await {
                Ok(receipt) => say(&format!("won {round} {} {name}", receipt.revision)),
                Err(MemoryError::Refused(_)) => say(&format!("lost {round} {name}")),
                Err(error) => return Err(error),
            }
        }
        slowest = slowest.max(start.elapsed());
    }
    say(&format!("ended {name} {} {}", began.elapsed().as_millis(), slowest.as_millis()));
    Ok(())
}

fn of_its_own(name: &str, number: u32) -> Draft {
    Draft {
        kind: Some("acme.own".to_owned()),
        key: Some(format!("{name} {number}")),
        content: Some(json!(format!("{name} wrote {number}"))),
        ..Draft::default()
    }
}

fn in_round(name: &str, fact: FactId, round: u32) -> Draft {
    Draft {
        fact: Some(fact),
        expect_version: Some(round),
        content: Some(json!(format!("{name} won round {round}"))),
        ..Draft::default()
    }
}

/// Writes a fact for each key of a line that it is given, all at once, and says what came of each.
async fn fill(address: &str, bytes: usize) -> Result<(), MemoryError> {
    let memory = Memory::open(address).await?;
    say("open");
    for line in io::stdin().lines() {
        let line = line.expect("the test writes lines");
        let writing: Vec<_> = line
            .split(' ')
            .map(|key| {
                let (memory, key) = (memory.clone(), key.to_owned());
                tokio::spawn(async move { write(&memory, key, bytes).await })
            })
            .collect();
        for fact in writing {
            match fact.await.expect("no task panics") {
                Ok(receipt) => say(&format!("ok {} {}", receipt.fact, receipt.searchable)),
                Err(error) => say(&format!("failed {error}")),
            }
        }
    }
    Ok(())
}

async fn write(memory: &Memory, key: String, bytes: usize) -> Result<Receipt, MemoryError> {
    // As many bytes as a content may have are four for each of its characters.
    let filling = if bytes > BYTES_OF_WORDS_MAX { "🍎🍏🍐🍑" } else { "abcdefghij klmnop " };
    let draft = Draft {
        kind: Some("acme.filling".to_owned()),
        content: Some(json!(format!("{key} number {}", filling.repeat(bytes / filling.len())))),
        key: Some(key),
        ..Draft::default()
    };
    memory.remember(&script::caller()?, None, draft).await
}
