//! Bringing in what another program kept: read row by row, and every row of it accounted for.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use fact::{BadInput, Legacy, LegacySource, Text};
use legacy::{Item, Skip};
use reconcile::NotTaken;
use tokio::sync::mpsc;

use crate::adopt::ROWS_TOGETHER;
use crate::{Caller, Intake, Memory, MemoryError, Taken};

/// Batches that are read ahead.
const BATCHES_AHEAD: usize = 2;
/// Refused rows that are named; more are only counted.
pub const REFUSED_NAMED_MAX: usize = 1_000;

/// What became of the rows of a source.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Account {
    /// All of them.
    pub rows: u64,
    /// Brought in, or that would be in a dry run.
    pub taken: u64,
    /// There before.
    pub known: u64,
    /// Let go of for ever before, and not brought back.
    pub gone: u64,
    /// Not for this scope.
    pub not_taken: BTreeMap<NotTaken, u64>,
    /// No memories.
    pub skipped: BTreeMap<Skip, u64>,
    /// Not as they must be.
    pub refused: u64,
    /// Taken or known, without a secret that they held.
    pub redacted: u64,
    /// The first of the refused, with where they stand and what is wrong.
    pub named: Vec<(Text, BadInput)>,
}

impl Account {
    fn add(&mut self, place: Text, taken: Taken) {
        match taken {
            Taken::Refused(why) => self.refuse(place, why.into()),
            Taken::New(_) => self.taken += 1,
            Taken::Known(_) => self.known += 1,
            Taken::Gone(_) => self.gone += 1,
            Taken::Not(why) => *self.not_taken.entry(why).or_default() += 1,
        }
    }

    /// Counts an item; gives the memory that is still to be brought in.
    fn count(&mut self, item: Item) -> Option<Legacy> {
        self.rows += 1;
        match item {
            Item::Row(memory) => return Some(memory),
            Item::Skipped { why, .. } => *self.skipped.entry(why).or_default() += 1,
            Item::Refused { place, why } => self.refuse(place, why),
        }
        None
    }

    fn refuse(&mut self, place: Text, why: BadInput) {
        self.refused += 1;
        if self.named.len() < REFUSED_NAMED_MAX {
            self.named.push((place, why));
        }
    }
}

impl Memory {
    /// Brings in what stands at `path`, which is only read. Where reading ends early, what was brought in stays: the same
    /// import run again takes the rest.
    pub async fn import_source(
        &self,
        caller: &Caller,
        intake: &mut Intake,
        (source, path): (LegacySource, &Path),
        progress: impl Fn(u64) + Send,
    ) -> Result<Account, MemoryError> {
        let (send, mut batches) = mpsc::channel(BATCHES_AHEAD);
        let path = path.to_owned();
        let reading = tokio::task::spawn_blocking(move || {
            let mut batch = Vec::with_capacity(ROWS_TOGETHER);
            let read = legacy::read(source, &path, &mut |item| {
                batch.push(item);
                if batch.len() < ROWS_TOGETHER {
                    return ControlFlow::Continue(());
                }
                match send.blocking_send(std::mem::take(&mut batch)) {
                    Ok(()) => ControlFlow::Continue(()),
                    // Nobody waits for the rest any more.
                    Err(_) => ControlFlow::Break(()),
                }
            });
            drop(send.blocking_send(batch));
            read
        });
        let mut account = Account::default();
        while let Some(batch) = batches.recv().await {
            let memories: Vec<Legacy> = batch.into_iter().filter_map(|item| account.count(item)).collect();
            let places: Vec<Text> = memories.iter().map(|memory| self.place_of(memory)).collect();
            let taken = self.import_legacy(caller, intake, memories).await?;
            places.into_iter().zip(taken).for_each(|(place, taken)| account.add(place, taken));
            account.redacted = intake.redacted();
            progress(account.rows);
        }
        // Nobody cancels it, so that it can only have panicked.
        reading.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))?;
        self.catch_up(self.now(caller.tenant()).await?).await;
        Ok(account)
    }

    /// Where a memory stands in its source, as it may be shown.
    fn place_of(&self, memory: &Legacy) -> Text {
        let place = &memory.place;
        self.screen.cleaned(place.as_str()).map_or_else(|| place.clone(), Text::stored)
    }
}
