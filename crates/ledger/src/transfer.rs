//! The whole history as NDJSON: out of one ledger, into an empty one on either engine, digests and all.

use std::collections::HashSet;
use std::io;

use fact::{Happening, Id, Position, Timestamp, hex};
use serde::{Deserialize, Serialize};
use sqlx::{AnyConnection, Executor as _, Row as _};

use crate::carry::{self, Carried};
use crate::check::snapshot;
use crate::commitment::Sealed;
use crate::derive::Step;
use crate::error::StoreError;
use crate::replay::{Fold, Stored};
use crate::row::{StoredEvent, StoredWords};
use crate::writer::{self, Tx};
use crate::{Ledger, connection, replay, requests, row, tables, tenant};

/// The form that this version writes and reads.
const FORM: u32 = 1;

/// One line of a dump.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "line", deny_unknown_fields)]
enum Line {
    #[serde(rename_all = "camelCase")]
    Dump {
        form: u32,
    },
    #[serde(rename_all = "camelCase")]
    Tenant {
        tenant: Id,
        secret: String,
    },
    Event(EventLine),
    #[serde(rename_all = "camelCase")]
    Request {
        request: String,
        digest: String,
        answer: String,
        recorded_at: i64,
    },
    Beside {
        row: Carried,
    },
    #[serde(rename_all = "camelCase")]
    Tip {
        position: i64,
        digest: String,
    },
    #[serde(rename_all = "camelCase")]
    End {
        events: u64,
        requests: u64,
        #[serde(default)]
        beside: u64,
    },
}

/// An event with its words, every column as it is stored.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct EventLine {
    position: i64,
    fact: String,
    revision: i64,
    version: i64,
    body: String,
    actor: String,
    recorded_at: i64,
    request: Option<String>,
    commitment: Option<String>,
    previous: String,
    digest: String,
    doc: Option<String>,
    salt: Option<String>,
}

/// Why a dump was not written or loaded. A load that fails changes nothing.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// The other side of the pipe failed.
    #[error("cannot read or write the dump: {0}")]
    Io(#[from] io::Error),
    /// A line is not as it must be.
    #[error("line {line} of the dump {problem}")]
    BadLine {
        /// Its number, from 1.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// The ledger that the dump is to go into has events.
    #[error("the ledger is not empty: a dump is loaded into an empty one")]
    NotEmpty,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for TransferError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

impl Ledger {
    /// Writes the whole ledger, line by line, as it was at one moment. Gives the number of events.
    /// Holds everything that the ledger holds: keep it as safe as the ledger itself.
    pub async fn dump(
        &self,
        mut out: impl FnMut(&str) -> io::Result<()> + Send,
        progress: impl Fn(u64) + Send,
    ) -> Result<u64, TransferError> {
        let mut connection = snapshot(self).await?;
        let mut write = |line: &Line| out(&fact::canonical(line));
        write(&Line::Dump { form: FORM })?;
        let (mut events, mut requests, mut beside) = (0, 0, 0);
        for tenant in replay::tenants(&mut connection).await? {
            let row = sqlx::query(include_str!("sql/tenant_read.sql"))
                .bind(tenant.as_str())
                .fetch_one(&mut connection)
                .await?;
            let tip = tenant::tip(&row)?;
            write(&Line::Tenant { tenant: tenant.clone(), secret: hex(&tip.secret) })?;
            let mut after = Position::START;
            loop {
                let batch = replay::batch(&mut connection, &tenant, after).await?;
                for found in &batch {
                    let stored = replay::stored(&tenant, found)?;
                    stored.event.open(stored.words.as_ref())?;
                    after = stored.event.event.position;
                    events += 1;
                    write(&event_line(&stored))?;
                }
                progress(events);
                if batch.is_empty() {
                    break;
                }
            }
            for line in request_lines(&mut connection, &tenant).await? {
                requests += 1;
                write(&line)?;
            }
            for row in carry::carried(&mut connection, &tenant).await? {
                beside += 1;
                write(&Line::Beside { row })?;
            }
            write(&Line::Tip { position: tip.position.get(), digest: hex(&tip.digest) })?;
        }
        write(&Line::End { events, requests, beside })?;
        Ok(events)
    }

    /// Reads a dump into this ledger, which must be empty: checks the chain and every promise, and makes the tables.
    /// All of it in one transaction. Gives the number of events.
    pub async fn load(
        &self,
        lines: impl Iterator<Item = io::Result<String>> + Send,
        progress: impl Fn(u64) + Send,
    ) -> Result<u64, TransferError> {
        let mut connection = connection::writer(&self.address).await?;
        writer::begin(&mut connection, self.address.engine(), self.busy_wait).await?;
        let row = sqlx::query(include_str!("sql/events_count.sql")).fetch_one(&mut connection).await?;
        if row.try_get::<i64, _>(0)? > 0 {
            return Err(TransferError::NotEmpty);
        }
        let mut loading = Loading::new(Tx::over(connection));
        for (line, number) in lines.zip(1..) {
            loading.take(number, &line?).await?;
            if number % 1_000 == 0 {
                progress(loading.events);
            }
        }
        let (mut tx, events) = loading.finish()?;
        tenant::save(&mut tx).await?;
        crate::crash::point("load.before-commit");
        tx.connection.execute("COMMIT").await?;
        progress(events);
        Ok(events)
    }
}

fn event_line(stored: &Stored) -> Line {
    let event = &stored.event.event;
    Line::Event(EventLine {
        position: event.position.get(),
        fact: event.fact.to_string(),
        revision: event.happening.revision().map_or(0, |number| i64::from(number.get())),
        version: row::EVENT_VERSION,
        body: stored.event.body.clone(),
        actor: stored.event.actor.clone(),
        recorded_at: event.recorded_at.micros(),
        request: event.request.as_ref().map(|request| request.as_str().to_owned()),
        commitment: stored.event.commitment.as_deref().map(hex),
        previous: hex(&stored.event.previous),
        digest: hex(&stored.event.digest),
        doc: stored.words.as_ref().map(|words| words.doc.clone()),
        salt: stored.words.as_ref().map(|words| hex(&words.salt)),
    })
}

/// In the order of time, and of the bytes of their keys: a database may order text in its own way.
async fn request_lines(connection: &mut AnyConnection, tenant: &Id) -> Result<Vec<Line>, StoreError> {
    let mut rows = Vec::new();
    for found in
        sqlx::query(include_str!("sql/requests_list.sql")).bind(tenant.as_str()).fetch_all(connection).await?
    {
        let (request, recorded_at): (String, i64) = (found.try_get(0)?, found.try_get(3)?);
        rows.push((recorded_at, request, hex(&found.try_get::<Vec<u8>, _>(1)?), found.try_get(2)?));
    }
    rows.sort_unstable();
    let line =
        |(recorded_at, request, digest, answer)| Line::Request { request, digest, answer, recorded_at };
    Ok(rows.into_iter().map(line).collect())
}

/// A load on its way: what has been read so far must fit together.
struct Loading {
    tx: Tx,
    begun: bool,
    ended: bool,
    open: Option<(Id, Vec<u8>, Fold)>,
    /// Positions whose words are not there, until an erasure explains them.
    wordless: HashSet<Position>,
    events: u64,
    requests: u64,
    /// Rows of what is kept beside the events.
    beside: u64,
}

impl Loading {
    fn new(tx: Tx) -> Self {
        let (open, wordless) = (None, HashSet::new());
        Self { tx, begun: false, ended: false, open, wordless, events: 0, requests: 0, beside: 0 }
    }

    async fn take(&mut self, number: u64, text: &str) -> Result<(), TransferError> {
        let bad = |problem: &str| TransferError::BadLine { line: number, problem: problem.to_owned() };
        let line: Line = serde_json::from_str(text).map_err(|_| bad("is no line of a dump"))?;
        if self.ended {
            return Err(bad("comes after the end"));
        }
        match line {
            Line::Dump { form } if form == FORM && !self.begun => self.begun = true,
            Line::Dump { .. } => return Err(bad("is of a form that this version does not read")),
            _ if !self.begun => return Err(bad("comes before the beginning")),
            Line::Tenant { .. } if self.open.is_some() => return Err(bad("begins a tenant within another")),
            Line::Tenant { tenant, secret } => {
                let secret = unhex(&secret).ok_or_else(|| bad("has a secret that is not hexadecimal"))?;
                tenant::create(&mut self.tx, &tenant, &secret).await?;
                if tenant::lock(&mut self.tx, &tenant, &[0; 32]).await?.secret != secret {
                    return Err(TransferError::NotEmpty);
                }
                self.open = Some((tenant, secret, Fold::default()));
            }
            Line::Event(line) => {
                self.event(&line).await.map_err(|error| match error {
                    Broken::Line(problem) => bad(&problem),
                    Broken::Store(error) => TransferError::Store(error),
                })?;
                self.events += 1;
            }
            Line::Request { request, digest, answer, recorded_at } => {
                let (tenant, _, _) = self.open.as_ref().ok_or_else(|| bad("belongs to no tenant"))?;
                let digest = unhex(&digest).ok_or_else(|| bad("has a digest that is not hexadecimal"))?;
                let at = Timestamp::from_micros(recorded_at);
                requests::insert(&mut self.tx.pending, tenant, &request, &digest, &answer, at);
                self.tx.flush().await?;
                self.requests += 1;
            }
            Line::Beside { row } => {
                let (tenant, _, _) = self.open.as_ref().ok_or_else(|| bad("belongs to no tenant"))?;
                let put = row.put(&mut self.tx, tenant).await?;
                put.ok_or_else(|| bad("has a field that is not hexadecimal"))?;
                self.beside += 1;
            }
            Line::Tip { position, digest } => {
                let (tenant, _, _) = self.open.take().ok_or_else(|| bad("belongs to no tenant"))?;
                let tip = tenant::lock(&mut self.tx, &tenant, &[0; 32]).await?;
                if tip.position.get() != position || hex(&tip.digest) != digest {
                    return Err(bad("does not name the last event before it"));
                }
                if !self.wordless.is_empty() {
                    return Err(bad("follows events whose words are missing and were not erased"));
                }
            }
            Line::End { events, requests, beside }
                if (events, requests, beside) == (self.events, self.requests, self.beside)
                    && self.open.is_none() =>
            {
                self.ended = true;
            }
            Line::End { .. } => return Err(bad("does not count the events and requests before it")),
        }
        Ok(())
    }

    async fn event(&mut self, line: &EventLine) -> Result<(), Broken> {
        let (tenant, secret, fold) = self.open.as_mut().ok_or("belongs to no tenant")?;
        let (event, words) = line.unseal(tenant)?;
        let opened = event.open(words.as_ref())?;
        if opened.is_none() {
            self.wordless.insert(event.event.position);
        }
        if let Happening::Erased { positions, .. } = &event.event.happening
            && !positions.iter().all(|erased| self.wordless.remove(erased))
        {
            return Err("erases words that are still there".into());
        }
        let tip = tenant::lock(&mut self.tx, tenant, &[0; 32]).await?;
        if tip.digest != event.previous || tip.position.next() != event.event.position {
            return Err("does not follow from the event before it".into());
        }
        if event.event.recorded_at <= tip.recorded_at {
            return Err("is not later than the event before it".into());
        }
        tip.follow(&event.event, event.digest.clone());
        let batch = &mut self.tx.pending;
        tables::insert_event(batch, &line.sealed(tenant, &event), &event.digest);
        if let (Some(words), Some(opened)) = (&words, &opened) {
            let at = event.event.position;
            tables::keep_words(batch, tenant, at, &words.doc, opened, &words.salt);
        }
        let (before, after) = fold.step(&event).map_err(|forbidden| forbidden.to_string())?;
        let known = replay::known(opened);
        let step = Step::of(tenant, &event.event, &known, secret, before.as_ref(), after);
        tables::write(batch, &step);
        tables::want(batch, tenant, &event.event, None);
        self.tx.flush().await?;
        crate::crash::point("load.event");
        Ok(())
    }

    fn finish(self) -> Result<(Tx, u64), TransferError> {
        if !self.ended {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it ends before its last line").into());
        }
        Ok((self.tx, self.events))
    }
}

impl EventLine {
    /// The event after its own digest was checked, and its words.
    fn unseal(&self, tenant: &Id) -> Result<(StoredEvent, Option<StoredWords>), Broken> {
        let bytes = |text: &str| unhex(text).ok_or("has a field that is not hexadecimal");
        let commitment = self.commitment.as_deref().map(bytes).transpose()?;
        let previous = bytes(&self.previous)?;
        let sealed = self.over(tenant, commitment.as_deref(), &previous);
        let event = row::unseal(&sealed, bytes(&self.digest)?)?;
        let words = match (&self.doc, &self.salt) {
            (Some(doc), Some(salt)) => Some(StoredWords { doc: doc.clone(), salt: bytes(salt)? }),
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => {
                return Err("has words without a salt, or a salt without words".into());
            }
        };
        Ok((event, words))
    }

    fn sealed<'a>(&'a self, tenant: &'a Id, event: &'a StoredEvent) -> Sealed<'a> {
        self.over(tenant, event.commitment.as_deref(), &event.previous)
    }

    fn over<'a>(&'a self, tenant: &'a Id, commitment: Option<&'a [u8]>, previous: &'a [u8]) -> Sealed<'a> {
        Sealed {
            tenant: tenant.as_str(),
            position: self.position,
            fact: &self.fact,
            revision: self.revision,
            version: self.version,
            body: &self.body,
            actor: &self.actor,
            recorded_at: self.recorded_at,
            request: self.request.as_deref(),
            commitment,
            previous,
        }
    }
}

enum Broken {
    Line(String),
    Store(StoreError),
}

impl From<&str> for Broken {
    fn from(problem: &str) -> Self {
        Self::Line(problem.to_owned())
    }
}

impl From<String> for Broken {
    fn from(problem: String) -> Self {
        Self::Line(problem)
    }
}

impl From<StoreError> for Broken {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Damaged { problem, .. } => Self::Line(format!("is damaged: {problem}")),
            StoreError::Busy
            | StoreError::Full
            | StoreError::Unreachable(_)
            | StoreError::Unconfirmed(_)
            | StoreError::Refused(_)
            | StoreError::Closed => Self::Store(error),
        }
    }
}

pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u32> = text.chars().map(|c| c.to_digit(16)).collect::<Option<_>>()?;
    let pairs = digits.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return None;
    }
    pairs.map(|pair| u8::try_from(pair[0] * 16 + pair[1]).ok()).collect()
}
