//! The service under load: connections that recall and write, and the ledger checked afterwards.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::Outcome;

const CONNECTIONS: usize = 64;
/// One request of so many is a write.
const WRITE_EVERY: usize = 4;
/// People whose facts they are.
const PEOPLE: usize = 16;
const THINGS: [&str; 8] = ["tea", "coffee", "a dog", "the cello", "Lisbon", "mornings", "chess", "the sea"];

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What one connection saw.
#[derive(Default)]
struct Seen {
    recalls: Vec<Duration>,
    writes: Vec<Duration>,
    errors: Vec<String>,
}

/// Starts `memory serve` on a new store, loads it for some seconds and prints what it took.
pub(crate) async fn run(seconds: usize) -> Outcome {
    let (seconds, folder) = (u64::try_from(seconds)?, tempfile::tempdir()?);
    let memory = std::env::current_exe()?.with_file_name("memory");
    let (mut child, host, key) = started(&memory, folder.path())?;
    let until = Instant::now() + Duration::from_secs(seconds);
    let clients =
        (0..CONNECTIONS).map(|client| tokio::spawn(client_of(client, host.clone(), key.clone(), until)));
    let mut all = Seen::default();
    for client in clients.collect::<Vec<_>>() {
        let seen = client.await?;
        all.recalls.extend(seen.recalls);
        all.writes.extend(seen.writes);
        all.errors.extend(seen.errors);
    }
    println!("{CONNECTIONS} connections for {seconds} s, one write for {} recalls", WRITE_EVERY - 1);
    told("all", [all.recalls.clone(), all.writes.clone()].concat(), seconds);
    told("recalls", all.recalls, seconds);
    told("writes", all.writes, seconds);
    println!("errors   {}", all.errors.len());
    all.errors.iter().take(5).for_each(|error| println!("  {error}"));
    Command::new("kill").arg(child.id().to_string()).status()?;
    println!("stopped  {}", child.wait()?);
    let checked =
        Command::new(&memory).args(["ledger", "check", "--db"]).arg(store(folder.path())).output()?;
    println!("ledger   {}", String::from_utf8_lossy(&checked.stdout).trim());
    if checked.status.success() && all.errors.is_empty() { Ok(()) } else { Err("something failed".into()) }
}

fn store(folder: &Path) -> PathBuf {
    folder.join("memory.db")
}

fn started(memory: &Path, folder: &Path) -> Result<(Child, String, String), Failure> {
    let mut command = Command::new(memory);
    command
        .args(["serve", "--json", "--listen", "127.0.0.1:0", "--rate-limit", "0", "--db"])
        .arg(store(folder));
    command.env("HOME", folder).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("{}: {error}", memory.display()))?;
    let mut said = String::new();
    let mut out = BufReader::new(child.stdout.take().ok_or("it has no output")?);
    while !said.ends_with("}\n") {
        if out.read_line(&mut said)? == 0 {
            return Err("it did not start".into());
        }
    }
    let said: Value = serde_json::from_str(&said)?;
    let host = said["address"].as_str().and_then(|address| address.strip_prefix("http://"));
    let key = said["firstKey"].as_str();
    Ok((child, host.ok_or("it has no address")?.to_owned(), key.ok_or("it made no key")?.to_owned()))
}

/// One request after the other, on one connection.
async fn client_of(client: usize, host: String, key: String, until: Instant) -> Seen {
    let mut seen = Seen::default();
    let mut stream = None;
    for number in 0.. {
        if Instant::now() >= until {
            break;
        }
        let is_write = number % WRITE_EVERY == 0;
        let request = request(client, number, is_write, (&host, &key));
        let began = Instant::now();
        match asked(&mut stream, &host, &request).await {
            Ok(()) if is_write => seen.writes.push(began.elapsed()),
            Ok(()) => seen.recalls.push(began.elapsed()),
            Err(error) => {
                stream = None;
                seen.errors.push(error.to_string());
            }
        }
    }
    seen
}

fn request(client: usize, number: usize, is_write: bool, (host, key): (&str, &str)) -> String {
    let (person, thing) = (format!("person-{}", client % PEOPLE), THINGS[(client + number) % THINGS.len()]);
    let (path, body) = match is_write {
        true => (
            "facts",
            json!({"type": "acme.note", "scope": {"userId": person},
                "content": {"text": format!("{person} likes {thing} since day {client}-{number}")}}),
        ),
        false => ("retrieve", json!({"query": format!("who likes {thing}"), "scope": {"userId": person}})),
    };
    let body = body.to_string();
    format!(
        "POST /v1/memory/{path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

async fn asked(stream: &mut Option<TcpStream>, host: &str, request: &str) -> Result<(), Failure> {
    let connected = match stream {
        Some(stream) => stream,
        None => {
            let connected = TcpStream::connect(host).await?;
            connected.set_nodelay(true)?;
            stream.insert(connected)
        }
    };
    connected.write_all(request.as_bytes()).await?;
    let (mut answer, mut piece) = (Vec::new(), [0; 16_384]);
    loop {
        let read = connected.read(&mut piece).await?;
        if read == 0 {
            return Err("it hung up".into());
        }
        answer.extend_from_slice(&piece[..read]);
        if let Some(whole) = whole(&answer)? {
            return if whole.starts_with("HTTP/1.1 20") { Ok(()) } else { Err(whole.into()) };
        }
    }
}

/// The answer's first line, once all of it has come.
fn whole(answer: &[u8]) -> Result<Option<String>, Failure> {
    let Some(end) = answer.windows(4).position(|four| four == b"\r\n\r\n") else { return Ok(None) };
    let head = std::str::from_utf8(&answer[..end])?;
    let length =
        head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let length: usize = length.ok_or("the answer has no length")?;
    let first = head.lines().next().unwrap_or_default().to_owned();
    Ok((answer.len() >= end + 4 + length).then_some(first))
}

fn told(what: &str, mut took: Vec<Duration>, seconds: u64) {
    took.sort();
    let at =
        |percent: usize| took.get(took.len().saturating_sub(1) * percent / 100).copied().unwrap_or_default();
    let rate = took.len() / usize::try_from(seconds.max(1)).unwrap_or(1);
    println!(
        "{what:<8} {} requests, {rate} a second, p50 {:?}, p99 {:?}, longest {:?}",
        took.len(),
        at(50),
        at(99),
        at(100)
    );
}
