//! Proving the ledger: the chain, the promise of every word, and that the tables follow from the events.

use std::collections::{HashMap, HashSet};
use std::fmt;

use fact::{Happening, Id, Position};
use futures_util::TryStreamExt as _;
use sqlx::AnyConnection;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::address::Engine;
use crate::derive::{Step, rows};
use crate::error::StoreError;
use crate::expected::{Expected, Image, TABLES, image};
use crate::replay::{Fold, Stored};
use crate::row::columns;
use crate::tenant::{self, Tip};
use crate::{Ledger, beside, commitment, connection, file, replay};

/// Findings that are kept; more are only counted.
const PROBLEMS_KEPT_MAX: usize = 1_000;

/// What a check saw.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Tenants checked.
    pub tenants: u64,
    /// Events checked.
    pub events: u64,
    /// What is wrong, in the order found, up to a thousand.
    pub problems: Vec<Problem>,
    /// How many findings there were.
    pub found: u64,
    /// Each tenant's events, one after the other.
    pub chains: Vec<Chain>,
}

/// The events of a tenant as a check went through them. Kept elsewhere, the end of a chain proves later that nothing
/// before it was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The tenant.
    pub tenant: Id,
    /// The position of its last event.
    pub position: Position,
    /// The digest of that event.
    pub digest: String,
    /// How many findings there were.
    pub found: u64,
}

/// Something that is wrong with the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The tenant; none where it is about the file that all of them share.
    pub tenant: Option<Id>,
    /// What.
    pub fault: Fault,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The database finds its own file damaged.
    File(String),
    /// A row cannot be read, or does not match its own digest.
    Unreadable(String),
    /// Positions are missing before this one.
    Gap(Position),
    /// The event does not follow from the one before it.
    ChainBroken(Position),
    /// The event's time is not later than the one before it.
    TimeBack(Position),
    /// The words of an event are gone, and no erasure says so.
    WordsMissing(Position),
    /// The words of an event are there although they were erased.
    WordsLeft(Position),
    /// A column that follows from the words does not match them.
    WordsColumns(Position),
    /// The event is not possible for its fact.
    Impossible(String),
    /// The last event is not the one that the tenant's row names.
    TipDiffers,
    /// A row is not as the events say.
    RowDiffers(&'static str, String),
    /// A row that the events ask for is not there.
    RowMissing(&'static str, String),
    /// A row is there that the events do not ask for.
    RowUnknown(&'static str, String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(tenant) = &self.tenant {
            write!(f, "tenant {tenant}: ")?;
        }
        match &self.fault {
            Fault::File(what) => write!(f, "the database file: {what}"),
            Fault::Unreadable(what) | Fault::Impossible(what) => f.write_str(what),
            Fault::Gap(at) => write!(f, "events are missing before position {at}"),
            Fault::ChainBroken(at) => write!(f, "event {at} does not follow from the event before it"),
            Fault::TimeBack(at) => write!(f, "event {at} is not later than the event before it"),
            Fault::WordsMissing(at) => write!(f, "the words of event {at} are missing and were not erased"),
            Fault::WordsLeft(at) => write!(f, "the words of event {at} are still there after their erasure"),
            Fault::WordsColumns(at) => {
                write!(f, "the columns beside the words of event {at} do not match them")
            }
            Fault::TipDiffers => f.write_str("the tenant's row does not name the last event"),
            Fault::RowDiffers(table, row) => write!(f, "table {table}, row {row} is not as the events say"),
            Fault::RowMissing(table, row) => write!(f, "table {table}, row {row} is missing"),
            Fault::RowUnknown(table, row) => write!(f, "table {table}, row {row} follows from no event"),
        }
    }
}

impl Ledger {
    /// Checks every tenant from its first event to its last. `progress` is told how many events are done.
    /// Reads from one state of the database; writers go on meanwhile.
    pub async fn check(&self, progress: impl Fn(u64) + Send) -> Result<Report, StoreError> {
        let mut connection = snapshot(self).await?;
        let mut report = Report::default();
        for damage in file::damages(&mut connection, self.address.engine()).await? {
            report.note(None, Fault::File(damage));
        }
        let shared = report.found;
        for tenant in named(&mut connection).await? {
            report.tenants += 1;
            let before = report.found;
            let (position, digest) =
                Checking::new(&tenant, &mut report).run(&mut connection, &progress).await?;
            for fault in beside::faults(&mut connection, &tenant).await? {
                report.note(Some(tenant.clone()), Fault::Unreadable(fault));
            }
            report.chains.push(Chain { tenant, position, digest, found: shared + report.found - before });
        }
        Ok(report)
    }

    /// How many events there are, over all tenants.
    pub async fn events(&self) -> Result<u64, StoreError> {
        let mut connection = self.reader().await?;
        let row = sqlx::query(include_str!("sql/events_count.sql")).fetch_one(&mut *connection).await?;
        let count: i64 = row.try_get(0)?;
        Ok(u64::try_from(count).unwrap_or(0))
    }
}

impl Report {
    fn note(&mut self, tenant: Option<Id>, fault: Fault) {
        self.found += 1;
        if self.problems.len() < PROBLEMS_KEPT_MAX {
            self.problems.push(Problem { tenant, fault });
        }
    }
}

/// Every tenant that some row names, in the order of their bytes.
async fn named(connection: &mut AnyConnection) -> Result<Vec<Id>, StoreError> {
    let rows = sqlx::query(include_str!("sql/tenants_named.sql")).fetch_all(connection).await?;
    let mut named = rows.iter().map(replay::tenant).collect::<Result<Vec<Id>, StoreError>>()?;
    named.sort_unstable();
    Ok(named)
}

/// A connection of its own that sees one state of the database. It ends when it is dropped.
pub(crate) async fn snapshot(ledger: &Ledger) -> Result<AnyConnection, StoreError> {
    let mut connection = connection::reader(&ledger.address).await?;
    let begin = match ledger.address.engine() {
        Engine::Sqlite => "BEGIN",
        Engine::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    };
    sqlx::Executor::execute(&mut connection, begin).await?;
    Ok(connection)
}

struct Checking<'a> {
    tenant: &'a Id,
    report: &'a mut Report,
    fold: Fold,
    expected: Expected,
    /// Positions whose words are not there, until an erasure explains them.
    wordless: HashSet<Position>,
    previous: Vec<u8>,
    last: Option<(Position, fact::Timestamp)>,
    secret: Vec<u8>,
}

impl<'a> Checking<'a> {
    fn new(tenant: &'a Id, report: &'a mut Report) -> Self {
        Self {
            tenant,
            report,
            fold: Fold::default(),
            expected: Expected::default(),
            wordless: HashSet::new(),
            previous: commitment::genesis(tenant),
            last: None,
            secret: Vec::new(),
        }
    }

    async fn run(
        mut self,
        connection: &mut AnyConnection,
        progress: &(impl Fn(u64) + Send),
    ) -> Result<(Position, String), StoreError> {
        let row = sqlx::query(include_str!("sql/tenant_read.sql"))
            .bind(self.tenant.as_str())
            .fetch_optional(&mut *connection)
            .await?;
        let tip = row.as_ref().map(tenant::tip).transpose()?;
        match &tip {
            Some(tip) => self.secret.clone_from(&tip.secret),
            None => self.note(Fault::RowMissing("tenants", self.tenant.to_string())),
        }
        let mut after = Position::START;
        loop {
            let batch = replay::batch(connection, self.tenant, after).await?;
            for found in &batch {
                after = replay::position(found)?;
                self.report.events += 1;
                self.event(after, found);
            }
            progress(self.report.events);
            if batch.is_empty() {
                break;
            }
        }
        let mut unexplained: Vec<Position> = self.wordless.iter().copied().collect();
        unexplained.sort_unstable();
        unexplained.into_iter().for_each(|position| self.note(Fault::WordsMissing(position)));
        if let Some(tip) = &tip {
            self.tip(tip);
        }
        self.strays(connection).await?;
        let position = self.last.map_or(Position::START, |(position, _)| position);
        let end = (position, fact::hex(&self.previous));
        self.tables(connection).await?;
        Ok(end)
    }

    /// Words of events that are not there.
    async fn strays(&mut self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        let rows = sqlx::query(include_str!("sql/contents_stray.sql"))
            .bind(self.tenant.as_str())
            .fetch_all(connection)
            .await?;
        for found in &rows {
            self.note(Fault::RowUnknown("contents", replay::position(found)?.to_string()));
        }
        Ok(())
    }

    fn note(&mut self, fault: Fault) {
        self.report.note(Some(self.tenant.clone()), fault);
    }

    fn event(&mut self, position: Position, found: &AnyRow) {
        let before = self.last.map_or(Position::START, |(position, _)| position);
        if position != before.next() {
            self.note(Fault::Gap(position));
        }
        match replay::stored(self.tenant, found) {
            Err(error) => {
                // What the digest was is not known, so the next event is taken as it comes.
                self.note(Fault::Unreadable(error.to_string()));
                self.previous = found.try_get(10).unwrap_or_default();
                self.last = Some((position, self.last.map_or(fact::Timestamp::from_micros(0), |(_, at)| at)));
            }
            Ok(stored) => self.readable(position, found, &stored),
        }
    }

    fn readable(&mut self, position: Position, found: &AnyRow, stored: &Stored) {
        if stored.event.previous != self.previous {
            self.note(Fault::ChainBroken(position));
        }
        let at = stored.event.event.recorded_at;
        if self.last.is_some_and(|(_, before)| at <= before) {
            self.note(Fault::TimeBack(position));
        }
        self.previous.clone_from(&stored.event.digest);
        self.last = Some((position, at));
        let words = match stored.event.open(stored.words.as_ref()) {
            Ok(words) => words,
            Err(error) => {
                self.note(Fault::Unreadable(error.to_string()));
                None
            }
        };
        match &words {
            None if stored.words.is_none() => drop(self.wordless.insert(position)),
            None => {}
            Some(words) => self.columns(position, found, stored, words),
        }
        if let Happening::Erased { positions, .. } = &stored.event.event.happening {
            for erased in positions {
                if !self.wordless.remove(erased) {
                    self.note(Fault::WordsLeft(*erased));
                }
            }
        }
        self.follow(stored, &replay::known(words));
    }

    fn columns(&mut self, position: Position, found: &AnyRow, stored: &Stored, words: &fact::Words) {
        if stored.words.is_none() {
            return;
        }
        let (body, tags) = columns(words);
        let name = words.key.as_ref().map_or("", |key| key.as_str());
        let column = |at: usize| found.try_get::<String, _>(at).unwrap_or_default();
        if column(13) != body || column(14) != name || column(15) != tags {
            self.note(Fault::WordsColumns(position));
        }
    }

    /// Folds the event, and gathers the rows that follow from it.
    fn follow(&mut self, stored: &Stored, words: &fact::Words) {
        let event = &stored.event.event;
        match self.fold.step(&stored.event) {
            Err(forbidden) => self.note(Fault::Impossible(forbidden.to_string())),
            Ok((before, after)) => {
                let step = Step::of(self.tenant, event, words, &self.secret, before.as_ref(), after);
                for put in rows(&step) {
                    self.expected.put(put);
                }
            }
        }
    }

    fn tip(&mut self, tip: &Tip) {
        let position = self.last.map_or(Position::START, |(position, _)| position);
        let at = self.last.map_or(fact::Timestamp::from_micros(0), |(_, at)| at);
        if tip.position != position || tip.digest != self.previous || tip.recorded_at != at {
            self.note(Fault::TipDiffers);
        }
    }

    async fn tables(mut self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        let mut expected = std::mem::take(&mut self.expected).images();
        for (table, statement) in TABLES {
            let mut found = sqlx::query(statement).bind(self.tenant.as_str()).fetch(&mut *connection);
            while let Some(row) = found.try_next().await? {
                if let Some(fault) = compare(table, &row, &mut expected)? {
                    self.report.note(Some(self.tenant.clone()), fault);
                }
            }
        }
        let mut missing: Vec<(&'static str, String)> = expected.into_keys().collect();
        missing.sort_unstable();
        missing.into_iter().for_each(|(table, row)| self.note(Fault::RowMissing(table, row)));
        Ok(())
    }
}

fn compare(
    table: &'static str,
    row: &AnyRow,
    expected: &mut HashMap<(&'static str, String), Image>,
) -> Result<Option<Fault>, StoreError> {
    let mut columns = Vec::new();
    for at in 0..row.len() {
        columns.push(row.try_get::<String, _>(at)?);
    }
    let key = columns.remove(0);
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    Ok(match expected.remove(&(table, key.clone())) {
        None => Some(Fault::RowUnknown(table, key)),
        Some(wanted) => (wanted != image(&columns)).then_some(Fault::RowDiffers(table, key)),
    })
}
