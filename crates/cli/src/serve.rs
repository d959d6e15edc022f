//! `memory serve`: the HTTP API, until it is stopped.

use std::net::SocketAddr;

use serde::Serialize;
use server::Server;
use truthkeeper::{Address, Bounds, Caller, Memory, MemoryError, NewKey, Right};

use crate::args::Global;
use crate::error::CliError;
use crate::store::{self, Missing};
use crate::{out, who};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The address to listen on. Anything but this machine's own lets others reach it, without encryption.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7711")]
    listen: SocketAddr,
    /// A name, besides this machine's own, under which it is called, such as that of a proxy before it.
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
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
}

pub(crate) async fn run(global: &Global, args: Args) -> Result<(), CliError> {
    if global.scope.is_some() {
        return Err(CliError::OperatorOnly);
    }
    let caller = who::caller(global)?;
    let address = store::address(global, Missing::Create)?;
    let memory = store::open_at(&address).await?;
    let stop = told_to_stop()?;
    let taken = Server::bind(memory.clone(), args.listen, args.hosts).await;
    let service = taken.map_err(|error| CliError::NotListening { address: args.listen, error })?;
    let started = Started {
        store: Address::parse(&address).to_string(),
        search: search(memory.meaning().await),
        address: format!("http://{}", service.address()),
        first_key: first_key(&memory, &caller).await?,
    };
    if global.json {
        out::json(&started)?
    } else {
        out::text(&text(&started))?
    }
    if !args.listen.ip().is_loopback() {
        out::note("others can reach it, and what they send is not encrypted");
    }
    Ok(service.run(stop).await?)
}

fn text(started: &Started) -> String {
    let Started { store, search, address, first_key } = started;
    let mut lines = vec![
        format!("Memory store: {store}"),
        format!("Memory search: {search}"),
        format!("Listening on {address}"),
    ];
    if let Some(key) = first_key {
        lines.push(format!("The first key, which is not shown again: {key}"));
        lines.push(format!("Try: curl -H 'Authorization: Bearer {key}' {address}/v1/memory/facts"));
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
