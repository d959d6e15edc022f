//! `memory serve`: the HTTP API, until it is stopped.

mod demo;
mod recorder;

use std::net::SocketAddr;
use std::time::Duration;

use serde::Serialize;
use server::{Search, Server, Settings};
use truthkeeper::{Address, Bounds, Caller, Memory, MemoryError, NewKey, Right};

use self::demo::Stage;
use crate::args::Global;
use crate::config::{self, HOSTS, LISTEN, RATE_LIMIT, SEARCH_FLOOR, SEARCH_LIMIT};
use crate::error::CliError;
use crate::store::{self, Missing};
use crate::{out, who};

/// How long the memory may take to close, after the last requests.
const CLOSING: Duration = Duration::from_secs(2);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The address to listen on; anything but this machine's own lets others reach it, without encryption
    /// [env: MEMORY_LISTEN] [default: 127.0.0.1:7711].
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// A name, besides this machine's own, under which it is called, such as that of a proxy before it [env: MEMORY_HOSTS].
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// Requests a second that each key may make, and twice as many at once; 0 is no limit [env: MEMORY_RATE_LIMIT]
    /// [default: 100].
    #[arg(long, value_name = "N")]
    rate_limit: Option<u32>,
    /// Tell the story of a person's facts first, in a store that goes away at the end, or in the empty one of --db.
    #[arg(long)]
    demo: bool,
}

/// What is said at the start.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Started {
    store: String,
    search: String,
    address: String,
    /// The first key of a store that had none. It is not shown again.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_key: Option<String>,
    /// The key of the person whose story a demo tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    owners_key: Option<String>,
    /// What waits in the story of a demo.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    story: Vec<String>,
}

pub(crate) async fn run(global: &Global, args: Args) -> Result<(), CliError> {
    if global.scope.is_some() {
        return Err(CliError::OperatorOnly);
    }
    let caller = who::caller(global)?;
    let listen = args.listen.map_or_else(|| global.config.number(&LISTEN), Ok)?;
    let settings = settings(global, &args)?;
    // It stands for as long as the service does, and takes its store with it.
    let stage = if args.demo { Some(Stage::set(global)?) } else { None };
    let address = match &stage {
        Some(stage) => stage.address.clone(),
        None => store::address(global, Missing::Create)?,
    };
    let memory = store::open_at(&global.config, &address).await?;
    let stop = told_to_stop()?;
    let taken = Server::bind(memory.clone(), listen, settings).await;
    let service = taken.map_err(|error| CliError::NotListening { address: listen, error })?;
    let story = match &stage {
        Some(stage) => stage.tell(&memory, &caller).await?,
        None => Vec::new(),
    };
    let started = Started {
        store: Address::parse(&address).to_string(),
        search: search(memory.meaning().await),
        address: format!("http://{}", service.address()),
        first_key: first_key(&memory, &caller).await?,
        owners_key: match &stage {
            Some(_) => Some(Stage::key(&memory, caller.tenant()).await?),
            None => None,
        },
        story,
    };
    if global.json {
        out::json(&started)?
    } else {
        out::text(&text(&started))?
    }
    if !listen.ip().is_loopback() {
        out::note("others can reach it, and what they send is not encrypted");
    }
    service.run(stop).await;
    match tokio::time::timeout(CLOSING, memory.close()).await {
        Ok(closed) => Ok(closed?),
        Err(_) => {
            out::note("the store did not close in time; what was acknowledged is in it");
            Ok(())
        }
    }
}

/// How it answers, as the command line or the configuration says.
fn settings(global: &Global, args: &Args) -> Result<Settings, CliError> {
    let config = &global.config;
    let hosts = match config.text(&HOSTS)?.filter(|_| args.hosts.is_empty()) {
        Some(told) => config::names(&told).into_iter().map(str::to_owned).collect(),
        None => args.hosts.clone(),
    };
    let search = Search { limit: config.value(&SEARCH_LIMIT)?, floor: config.value(&SEARCH_FLOOR)? };
    let requests_per_second = args.rate_limit.map_or_else(|| config.number(&RATE_LIMIT), Ok)?;
    Ok(Settings { hosts, requests_per_second, search, metrics: Some(recorder::install()?) })
}

fn text(started: &Started) -> String {
    let Started { store, search, address, first_key, owners_key, story } = started;
    let mut lines = vec![
        format!("Memory store: {store}"),
        format!("Memory search: {search}"),
        format!("Listening on {address}"),
    ];
    if !story.is_empty() {
        lines.extend([String::new(), demo::TITLE.to_owned()]);
        lines.extend(story.iter().map(|line| format!("  {line}")));
        lines.push(String::new());
    }
    if let Some(key) = owners_key {
        lines.push(format!("Open {address} in a browser and sign in as Ana: {key}"));
    }
    if let Some(key) = first_key {
        lines.push(format!("The first key, the operator's, which is not shown again: {key}"));
        if owners_key.is_none() {
            lines.push(format!("Open {address} in a browser and sign in with it."));
        }
        let tried = if story.is_empty() { "facts" } else { "conflicts" };
        lines.push(format!("Try: curl -H 'Authorization: Bearer {key}' {address}/v1/memory/{tried}"));
    }
    lines.join("\n")
}

fn search(meaning: Option<Result<String, MemoryError>>) -> String {
    match meaning {
        None => "keyword (`memory models pull` turns on search by meaning)".to_owned(),
        Some(Ok(model)) => format!("keyword and by meaning ({model})"),
        Some(Err(error)) => format!("keyword, and by meaning once it can be had ({error})"),
    }
}

/// Who starts a service on a store that has no key could not call it: one is made, for the operator.
async fn first_key(memory: &Memory, caller: &Caller) -> Result<Option<String>, CliError> {
    let tenant = caller.tenant();
    if !memory.keys(tenant).await?.is_empty() {
        return Ok(None);
    }
    let bounds =
        Bounds { rights: [Right::Admin, Right::Operate].into(), reads: Vec::new(), writes: Vec::new() };
    let new = NewKey { label: "first".to_owned(), actor: caller.actor.clone(), bounds };
    let (_, token) = memory.create_key(tenant, new).await?;
    Ok(Some(token.reveal()))
}

/// Done once the process is interrupted or told to end.
#[cfg(unix)]
fn told_to_stop() -> Result<impl Future<Output = ()> + Send + 'static, CliError> {
    use tokio::signal::unix::{SignalKind, signal};

    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Done once the process is interrupted.
#[cfg(not(unix))]
fn told_to_stop() -> Result<impl Future<Output = ()> + Send + 'static, CliError> {
    Ok(async move {
        // Where nobody can interrupt it, it serves until it is ended.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
