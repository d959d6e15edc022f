//! Writes the documents of a data set, each owner's into a scope of its own, and keeps what stands for which.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::time::{Duration, Instant};

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use indicatif::ProgressBar;
use serde_json::json;
use truthkeeper::{
    Actor, Caller, Draft, FactId, Id, Memory, MemoryError, RecalledFact, RevisionNumber, Scope, Which,
    is_invisible, limits,
};

use crate::progress::bar;

use super::dataset::{Document, DocumentNumber, Owner};
use super::error::EvalError;
use super::split::split;

/// Owners written at the same time, one request each: an owner's facts get their ids in the order of the file, so
/// that equal scores fall the same way each time.
const REQUESTS_MAX: usize = 64;
/// How long the copy may stand still before the evaluation goes on without it, and how often is looked.
const COPY_PATIENCE: Duration = Duration::from_secs(60);
const COPY_PAUSE: Duration = Duration::from_millis(100);
const TENANT: &str = "eval";
const KIND: &str = "eval.document";

/// What was written.
pub(super) struct Imported {
    /// By owner.
    pub(super) standings: Vec<Standing>,
    /// How long it took.
    pub(super) took: Duration,
}

/// Which documents of one owner each revision stands for: several where they say the same; and each document may
/// have several facts.
#[derive(Default)]
pub(super) struct Standing {
    documents: HashMap<(FactId, RevisionNumber), BTreeSet<DocumentNumber>>,
    /// Documents that a later one took the place of.
    pub(super) superseded: BTreeSet<DocumentNumber>,
    /// Requests that it took.
    pub(super) written: usize,
}

impl Standing {
    /// The documents that a recalled fact stands for.
    pub(super) fn of(&self, fact: &RecalledFact) -> BTreeSet<DocumentNumber> {
        self.documents.get(&(fact.case.head.fact, fact.revision.number)).cloned().unwrap_or_default()
    }

    /// How many facts a recall must give so that parts of one document cannot crowd out another.
    pub(super) fn facts_for(&self, documents: usize) -> usize {
        let distinct: BTreeSet<_> = self.documents.values().flatten().collect();
        let parts: usize = self.documents.values().map(BTreeSet::len).sum();
        (documents + parts - distinct.len()).min(limits::PAGE_ITEMS_MAX)
    }
}

/// Who acts for an owner: the user of that name.
pub(super) fn caller(owner: &Owner) -> Result<Caller, MemoryError> {
    Ok(Caller::within(&scope(owner)?, Actor::User { id: owner.id.clone() })?)
}

fn scope(owner: &Owner) -> Result<Scope, MemoryError> {
    Ok(Scope { user: Some(owner.id.clone()), ..Scope::tenant(Id::parse("tenant", TENANT)?) })
}

/// Writes all documents; `path` is the file that they came from.
pub(super) async fn all(memory: &Memory, owners: &[Owner], path: &Path) -> Result<Imported, EvalError> {
    let start = Instant::now();
    let count: usize = owners.iter().map(|owner| owner.documents.len()).sum();
    let progress = bar("documents", u64::try_from(count).ok());
    let standings = stream::iter(owners.iter().map(|owner| import(memory, owner, path, &progress)))
        .buffered(REQUESTS_MAX)
        .try_collect()
        .await?;
    finish_copy(memory).await?;
    progress.finish_and_clear();
    Ok(Imported { standings, took: start.elapsed() })
}

/// Waits for what is not searchable yet, as long as it becomes less: on a busy machine some writes are answered before
/// their copy is made.
async fn finish_copy(memory: &Memory) -> Result<(), EvalError> {
    let tenant = Id::parse("tenant", TENANT).map_err(MemoryError::from)?;
    let (mut least, mut since) = (u64::MAX, Instant::now());
    loop {
        memory.project_all(memory.now(&tenant).await?).await?;
        let waiting = memory.outbox(&Which::default()).await?.waiting;
        if waiting < least {
            (least, since) = (waiting, Instant::now());
        }
        if waiting == 0 || since.elapsed() > COPY_PATIENCE {
            return Ok(());
        }
        tokio::time::sleep(COPY_PAUSE).await;
    }
}

async fn import(
    memory: &Memory,
    owner: &Owner,
    path: &Path,
    progress: &ProgressBar,
) -> Result<Standing, EvalError> {
    let (caller, scope) = (caller(owner)?, scope(owner)?);
    let mut standing = Standing::default();
    let mut facts: Vec<BTreeSet<FactId>> = Vec::new();
    for (number, document) in owner.documents.iter().enumerate() {
        let replaced = document.supersedes.iter().flat_map(|old| std::mem::take(&mut facts[old.0])).collect();
        let (drafts, left_over) = drafts(document, &scope, replaced);
        let mut written = BTreeSet::new();
        for draft in drafts {
            let receipt = memory.remember(&caller, None, draft).await.map_err(|error| {
                if let MemoryError::BadInput(bad) = error {
                    EvalError::BadLine { path: path.to_owned(), line: document.line, bad }
                } else {
                    EvalError::Memory(error)
                }
            })?;
            let stands_for = standing.documents.entry((receipt.fact, receipt.revision)).or_default();
            stands_for.insert(DocumentNumber(number));
            written.insert(receipt.fact);
            standing.written += 1;
        }
        for fact in left_over {
            memory.forget(&caller, None, fact, None, Some("superseded")).await?;
        }
        standing.superseded.extend(&document.supersedes);
        facts.push(written);
        progress.inc(1);
    }
    Ok(standing)
}

/// What to say for a document: each part as the next revision of one of the facts that it takes the place of, or as
/// a new fact; and those facts for which no part is left.
fn drafts(document: &Document, scope: &Scope, replaced: BTreeSet<FactId>) -> (Vec<Draft>, Vec<FactId>) {
    let mut replaced = replaced.into_iter();
    let parts = split(document.text.as_str());
    let drafts = parts.into_iter().filter(|part| !is_blank(part)).map(|part| {
        let fact = replaced.next();
        Draft {
            fact,
            kind: fact.is_none().then(|| KIND.to_owned()),
            scope: fact.is_none().then(|| scope.clone()),
            content: Some(json!({ "text": part })),
            provenance: document.provenance.clone(),
            ..Draft::default()
        }
    });
    (drafts.collect(), replaced.collect())
}

/// A part of which nobody would see anything; a fact says something.
fn is_blank(part: &str) -> bool {
    part.chars().all(|c| c.is_whitespace() || c.is_control() || is_invisible(c))
}
