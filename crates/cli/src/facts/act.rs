//! The acts on a fact that is there, and what is said of every change.

use truthkeeper::{BadInput, MemoryError, Receipt, RequestKey, StoreError};
use uuid::Uuid;

use crate::args::Global;
use crate::error::CliError;
use crate::facts::{bulk, fact, named, revision};
use crate::out;
use crate::session::Session;
use crate::show::{json, receipt};

/// What makes a request one that can be sent again.
#[derive(Debug, clap::Args)]
pub(crate) struct Keyed {
    /// Names the request, so that sending it again changes nothing; made up when not given.
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Verify {
    /// The fact.
    fact: String,
    /// The version that must be the current one.
    #[arg(long, value_name = "N")]
    expect_version: Option<u32>,
    #[command(flatten)]
    keyed: Keyed,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Delete {
    /// The fact, or up to 50; FACT@VERSION only as long as that version is the current one.
    #[arg(required = true, value_name = "FACT")]
    pub(crate) facts: Vec<String>,
    /// Why it is forgotten.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) reason: Option<String>,
    /// The version that must be the current one, of one fact.
    #[arg(long, value_name = "N")]
    expect_version: Option<u32>,
    #[command(flatten)]
    pub(crate) keyed: Keyed,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Restore {
    /// The fact.
    fact: String,
    /// The version to bring back, which must be the one that stood last.
    #[arg(long, value_name = "N")]
    revision: Option<u32>,
    #[command(flatten)]
    keyed: Keyed,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Hold {
    /// The fact.
    fact: String,
    /// Lift the hold.
    #[arg(long)]
    lift: bool,
    #[command(flatten)]
    keyed: Keyed,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Admit {
    /// The fact.
    fact: String,
    #[command(flatten)]
    keyed: Keyed,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Quarantine {
    /// The fact.
    fact: String,
    #[command(flatten)]
    keyed: Keyed,
}

impl Keyed {
    /// The key that was given, or a new one.
    pub(crate) fn key(&self) -> Result<RequestKey, CliError> {
        let key = self.idempotency_key.clone().unwrap_or_else(|| Uuid::now_v7().to_string());
        Ok(RequestKey::parse(&key)?)
    }
}

pub(crate) async fn verify(global: &Global, args: &Verify) -> Result<(), CliError> {
    let (key, fact) = (args.keyed.key()?, fact(&args.fact)?);
    let expected = args.expect_version.map(|version| revision("expectVersion", version)).transpose()?;
    let session = Session::open(global).await?;
    let outcome = session.memory.verify(&session.caller, Some(key.clone()), fact, expected).await;
    done(&session, key, outcome).await
}

pub(crate) async fn delete(global: &Global, args: &Delete) -> Result<(), CliError> {
    let expected = args.expect_version.map(|version| revision("expectVersion", version)).transpose()?;
    let [given] = &args.facts[..] else {
        return match expected {
            None => bulk::forget(global, args).await,
            Some(_) => {
                Err(BadInput::new("expectVersion", "fits one fact; write FACT@VERSION for several").into())
            }
        };
    };
    let (key, (fact, at)) = (args.keyed.key()?, named("fact", given)?);
    let expected = expected.or(at);
    let session = Session::open(global).await?;
    let reason = args.reason.as_deref();
    let outcome = session.memory.forget(&session.caller, Some(key.clone()), fact, expected, reason).await;
    done(&session, key, outcome).await
}

pub(crate) async fn restore(global: &Global, args: &Restore) -> Result<(), CliError> {
    let (key, fact) = (args.keyed.key()?, fact(&args.fact)?);
    let number = args.revision.map(|number| revision("revision", number)).transpose()?;
    let session = Session::open(global).await?;
    let outcome = session.memory.restore(&session.caller, Some(key.clone()), fact, number).await;
    done(&session, key, outcome).await
}

pub(crate) async fn hold(global: &Global, args: &Hold) -> Result<(), CliError> {
    let (key, fact) = (args.keyed.key()?, fact(&args.fact)?);
    let session = Session::open(global).await?;
    let outcome = session.memory.hold(&session.caller, Some(key.clone()), fact, !args.lift).await;
    done(&session, key, outcome).await
}

pub(crate) async fn admit(global: &Global, args: &Admit) -> Result<(), CliError> {
    let (key, fact) = (args.keyed.key()?, fact(&args.fact)?);
    let session = Session::open(global).await?;
    let outcome = session.memory.admit(&session.caller, Some(key.clone()), fact).await;
    done(&session, key, outcome).await
}

pub(crate) async fn quarantine(global: &Global, args: &Quarantine) -> Result<(), CliError> {
    let (key, fact) = (args.keyed.key()?, fact(&args.fact)?);
    let session = Session::open(global).await?;
    let outcome = session.memory.quarantine(&session.caller, Some(key.clone()), fact).await;
    done(&session, key, outcome).await
}

/// Says what a change came to.
pub(crate) async fn done(
    session: &Session,
    key: RequestKey,
    outcome: Result<Receipt, MemoryError>,
) -> Result<(), CliError> {
    let receipt = outcome.map_err(|error| unconfirmed(error, &key))?;
    if !session.json {
        return out::text(&receipt::text(&receipt, is_quarantined(session, &receipt).await));
    }
    let seen = match server::wire::tells_of_own_words(receipt.outcome) {
        true => session.memory.revision(&session.caller, receipt.fact, receipt.revision).await.map(Some),
        false => Ok(None),
    };
    // The change is recorded: its receipt is printed even where the fact cannot be read any more.
    let seen = seen.unwrap_or_else(|error| {
        out::note(&format!("recorded, but it cannot be read back: {error}"));
        None
    });
    let fact = match &seen {
        Some(seen) => Some(server::wire::fact(&session.memory, seen).await),
        None => None,
    };
    out::json(&json::Changed::of(fact, &receipt, &key))
}

/// Whether the revision waits for an operator. Where that cannot be read, the receipt is printed all the same.
async fn is_quarantined(session: &Session, receipt: &Receipt) -> bool {
    let head = session.memory.ledger().head(&session.caller.reader, receipt.fact).await;
    matches!(head, Ok(Some(head)) if head.quarantined.contains(&receipt.revision))
}

/// A commit that was not confirmed may have been made: the key tells.
fn unconfirmed(error: MemoryError, key: &RequestKey) -> CliError {
    if let MemoryError::Store(store @ StoreError::Unconfirmed(_)) = &error {
        return CliError::Unconfirmed { error: store.clone(), key: key.clone() };
    }
    error.into()
}
