//! Memories from before the ledger: bringing them in, looking at them, and that nobody changes one before it is reviewed.

use std::collections::{BTreeMap, HashSet};

use fact::{Container, FactId, HoldsSecret, Legacy, LegacyRow, Reader, Scope, Timestamp, Unadmitted};
use ledger::{Filter, ImportFate, Imported, LegacyPage, OwnerCensus};
use recall::RecalledLegacy;
use reconcile::NotTaken;

use crate::act::check_write;
use crate::{Caller, Memory, MemoryError, Recall, fresh};

/// Rows that are brought in together.
pub(crate) const ROWS_TOGETHER: usize = 500;
const ROWS_A_PAGE: u32 = 1_000;

/// What became of one memory of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// It is a row now.
    New(FactId),
    /// It was one before.
    Known(FactId),
    /// It was let go of for ever, and is not brought back.
    Gone(FactId),
    /// It is not for this scope.
    Not(NotTaken),
    /// It holds a secret.
    Refused(HoldsSecret),
}

/// An import on its way.
#[derive(Debug, Clone)]
pub struct Intake {
    scope: Scope,
    whose: Option<String>,
    dry_run: bool,
    seen: HashSet<FactId>,
    redacted: u64,
}

impl Intake {
    /// For the readers of that scope.
    pub fn of(scope: Scope) -> Self {
        Self { scope, whose: None, dry_run: false, seen: HashSet::new(), redacted: 0 }
    }

    /// Takes what the source says is theirs: the name that it has for the scope's person, where that is another one.
    #[must_use]
    pub fn whose(self, whose: Option<String>) -> Self {
        Self { whose, ..self }
    }

    /// Only says what would be taken.
    #[must_use]
    pub fn dry_run(self, dry_run: bool) -> Self {
        Self { dry_run, ..self }
    }

    /// How many of the memories so far were brought in without a secret that they held.
    pub fn redacted(&self) -> u64 {
        self.redacted
    }
}

/// How many rows may be recalled, and why the others are not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Admissions {
    /// Rows that may be.
    pub admitted: u64,
    /// Rows that may not, each under the first reason that holds.
    pub excluded: BTreeMap<Unadmitted, u64>,
}

impl Memory {
    /// Brings memories in, each accounted for in its order. What is there already and undecided says what its source says
    /// now; what is decided about is left as it is.
    pub async fn import_legacy(
        &self,
        caller: &Caller,
        intake: &mut Intake,
        memories: Vec<Legacy>,
    ) -> Result<Vec<Taken>, MemoryError> {
        check_write(caller, &intake.scope)?;
        let (mut verdicts, mut fitting) = (Vec::with_capacity(memories.len()), Vec::new());
        for memory in memories {
            verdicts.push(match self.taken(&memory, intake) {
                Ok(memory) => {
                    fitting.push(memory);
                    None
                }
                Err(not) => Some(not),
            });
        }
        let now = self.now(caller.tenant()).await?;
        let mut imported = Vec::with_capacity(fitting.len());
        for memories in fitting.chunks(ROWS_TOGETHER) {
            let (scope, memories) = (intake.scope.clone(), memories.to_vec());
            imported.extend(match intake.dry_run {
                true => self.ledger.find_legacy(&scope, &memories).await?,
                false => self.ledger.import_legacy(scope, memories, now, fresh::entropy()?).await?,
            });
        }
        let mut imported = imported.into_iter();
        let taken = |verdict: Option<Taken>| match verdict {
            Some(not) => Some(not),
            None => imported.next().map(|Imported { row, fate }| match fate {
                ImportFate::Gone => Taken::Gone(row),
                ImportFate::New if intake.seen.insert(row) => Taken::New(row),
                ImportFate::New | ImportFate::Known => Taken::Known(row),
            }),
        };
        Ok(verdicts.into_iter().filter_map(taken).collect())
    }

    /// A memory as it is brought in, or why it is not.
    fn taken(&self, memory: &Legacy, intake: &mut Intake) -> Result<Legacy, Taken> {
        reconcile::take(memory, &intake.scope, intake.whose.as_deref()).map_err(Taken::Not)?;
        let screened = self.screen.legacy(memory.clone()).map_err(Taken::Refused)?;
        intake.redacted += u64::from(screened != *memory);
        Ok(screened)
    }

    /// One legacy row that the caller may read.
    pub async fn legacy_row(&self, caller: &Caller, row: FactId) -> Result<LegacyRow, MemoryError> {
        let now = self.now(caller.tenant()).await?;
        self.audit(caller, "legacy", Some(row), now).await;
        self.readable_legacy(&caller.reader, row).await?.ok_or(MemoryError::NotFound)
    }

    /// The legacy rows of one owner, or of everybody, that the caller may read, in the order of their ids, from beyond
    /// `after` on: as many as `limit`, where there are so many. A page names no row that the caller may not read.
    pub async fn legacy_rows(
        &self,
        caller: &Caller,
        owner: Option<&Container>,
        after: Option<FactId>,
        limit: u32,
    ) -> Result<LegacyPage, MemoryError> {
        let now = self.now(caller.tenant()).await?;
        self.audit(caller, "legacy", None, now).await;
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut all = self.legacy_beyond(&caller.reader, owner, after, most).await?;
        if all.rows.len() > most {
            all.rows.truncate(most);
            all.next = all.rows.last().map(|last| last.row.row);
        }
        Ok(all)
    }

    /// How the legacy rows of each owner stand whose rows the caller may read.
    pub async fn census(&self, caller: &Caller) -> Result<Vec<OwnerCensus>, MemoryError> {
        let mut owners = self.ledger.legacy_census(Some(caller.tenant())).await?;
        owners.retain(|one| caller.reader.may_read(&one.scope));
        Ok(OwnerCensus::joined(owners))
    }

    /// How many of an owner's rows may be recalled now, and why the others are not.
    pub async fn admissions(
        &self,
        caller: &Caller,
        owner: Option<&Container>,
    ) -> Result<Admissions, MemoryError> {
        let now = self.now(caller.tenant()).await?;
        let mut admissions = Admissions::default();
        for kept in self.all_legacy(&caller.reader, owner).await?.rows {
            match kept.row.admission(now) {
                Ok(()) => admissions.admitted += 1,
                Err(why) => *admissions.excluded.entry(why).or_default() += 1,
            }
        }
        Ok(admissions)
    }

    /// Lets go of the rows that a filter of facts names and the caller may write, of one owner or of everybody.
    pub(crate) async fn drop_legacy(
        &self,
        caller: &Caller,
        filter: &Filter,
        owner: Option<&Container>,
    ) -> Result<u64, MemoryError> {
        let mut rows = self.all_legacy(&caller.reader, owner).await?.rows;
        rows.retain(|kept| caller.writer.may_write(&kept.row.scope) && names(filter, &kept.row));
        let rows = rows.iter().map(|kept| kept.row.row).collect();
        let now = self.now(caller.tenant()).await?;
        let dropped = self.ledger.drop_legacy(caller.tenant().clone(), rows, now).await?;
        self.catch_up(now).await;
        Ok(dropped)
    }

    /// Every row of an owner, or of everybody, that may be read; and how many are damaged.
    pub(crate) async fn all_legacy(
        &self,
        reader: &Reader,
        owner: Option<&Container>,
    ) -> Result<LegacyPage, MemoryError> {
        self.legacy_beyond(reader, owner, None, usize::MAX).await
    }

    /// The rows beyond `after` that may be read: all of them, or pages until there are more than `most`.
    async fn legacy_beyond(
        &self,
        reader: &Reader,
        owner: Option<&Container>,
        mut after: Option<FactId>,
        most: usize,
    ) -> Result<LegacyPage, MemoryError> {
        let token = owner.map(Container::token);
        let mut all = LegacyPage::default();
        loop {
            let page = self.ledger.legacy_after(&reader.tenant, token.as_deref(), after, ROWS_A_PAGE).await?;
            all.damaged += page.damaged;
            all.rows.extend(page.rows.into_iter().filter(|kept| reader.may_read(&kept.row.scope)));
            after = page.next;
            if all.rows.len() > most || after.is_none() {
                return Ok(all);
            }
        }
    }

    /// The newest rows that may be recalled, of the kinds asked for; and how many are damaged.
    pub(crate) async fn newest_legacy(
        &self,
        caller: &Caller,
        recall: &Recall,
        most: usize,
        now: Timestamp,
    ) -> Result<(Vec<RecalledLegacy>, u64), MemoryError> {
        if most == 0 {
            return Ok((Vec::new(), 0));
        }
        let (mut rows, damaged) = self.ledger.recallable_legacy(&caller.reader, now).await?;
        rows.retain(|row| recall.is_of_kind(&row.legacy.kind()));
        rows.sort_by_key(|row| std::cmp::Reverse((row.legacy.written_at, row.row)));
        rows.truncate(most);
        let listed = |row: LegacyRow| RecalledLegacy { row, score: None, fits: Vec::new() };
        Ok((rows.into_iter().map(listed).collect(), damaged))
    }

    /// Lets go of one legacy row for ever, but for its copy. Whoever may write its scope may.
    pub(crate) async fn erase_legacy(&self, caller: &Caller, row: FactId) -> Result<(), MemoryError> {
        let found = self.readable_legacy(&caller.reader, row).await?.ok_or(MemoryError::NotFound)?;
        check_write(caller, &found.scope)?;
        let now = self.now(caller.tenant()).await?;
        Ok(self.ledger.erase_legacy(caller.tenant().clone(), row, now).await?)
    }

    /// Why a fact is not there to be changed: it is none yet, or there is nothing of that name for this reader.
    pub(crate) async fn missing(&self, reader: &Reader, fact: FactId) -> MemoryError {
        match self.readable_legacy(reader, fact).await {
            Ok(Some(_)) => MemoryError::AwaitingReconciliation,
            Ok(None) => MemoryError::NotFound,
            Err(error) => error,
        }
    }

    async fn readable_legacy(&self, reader: &Reader, row: FactId) -> Result<Option<LegacyRow>, MemoryError> {
        if !row.is_legacy() {
            return Ok(None);
        }
        let found = self.ledger.legacy(&reader.tenant, row).await?;
        Ok(found.filter(|found| reader.may_read(&found.scope)))
    }
}

/// Whether a filter of facts names a row, its state left aside.
fn names(filter: &Filter, row: &LegacyRow) -> bool {
    let Filter { kind, scope, key, tag, state: _ } = filter;
    let legacy = &row.legacy;
    kind.as_ref().is_none_or(|kind| *kind == legacy.kind())
        && scope.as_ref().is_none_or(|scope| *scope == row.scope)
        && key.as_ref().is_none_or(|key| Some(key) == legacy.key.as_ref())
        && tag.as_ref().is_none_or(|tag| legacy.tags.contains(tag))
}
