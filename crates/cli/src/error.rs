//! What can go wrong, and what is said about it: exit code, name and hint, in one place.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde::Serialize;
use truthkeeper::{
    AdoptionError, BadInput, BadModel, BadReview, BadSeal, Barrier, EmbedError, EraseError, IndexError,
    MemoryError, NotSealable, OpenError, PullError, Refusal, RequestKey, RevisionNumber, SourceError,
    StoreError, TransferError,
};

use crate::Exit;
use crate::eval::EvalError;
use crate::show::counted;

/// Why a command did not do all that it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// The memory did not answer.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Nothing was measured.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// The commit was not confirmed; the same key finds out whether it was done.
    #[error("{error}")]
    Unconfirmed {
        /// What the store said.
        error: StoreError,
        /// The key of the request.
        key: RequestKey,
    },
    /// There is no memory at that path.
    #[error("db: there is no memory at {}", .path.display())]
    NoStore {
        /// Where it should be.
        path: PathBuf,
    },
    /// The platform names no folder for data.
    #[error("db: the platform names no folder for data")]
    NoDataFolder,
    /// A file cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: String,
        /// What the system says.
        error: io::Error,
    },
    /// The address cannot be taken.
    #[error("cannot listen on {address}: {error}")]
    NotListening {
        /// Which.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// Nothing was done yet, because it cannot be undone.
    #[error("this would {what}")]
    NeedsConfirmation {
        /// What it would do.
        what: String,
    },
    /// The whole ledger belongs to no one scope.
    #[error("not permitted: the whole ledger is the operator's")]
    OperatorOnly,
    /// Some lines of an import were refused.
    #[error("not imported: {failed} of {}", counted(*.lines, "line"))]
    LinesFailed {
        /// How many.
        failed: u64,
        /// Of how many.
        lines: u64,
    },
    /// Some rows of a source were refused.
    #[error("not taken: {refused} of {}", counted(*.rows, "row"))]
    RowsRefused {
        /// How many.
        refused: u64,
        /// Of how many.
        rows: u64,
    },
    /// Some steps of an adoption were not done.
    #[error("not done: {refused} of {steps} steps")]
    StepsRefused {
        /// How many.
        refused: usize,
        /// Of how many.
        steps: usize,
    },
    /// A review is not as it must be.
    #[error(transparent)]
    Review(BadReview),
    /// A sealed review is not as it must be.
    #[error(transparent)]
    Seal(BadSeal),
    /// A review cannot be sealed.
    #[error("{}", chain(.0))]
    NotSealable(NotSealable),
    /// The review is of another version than was expected.
    #[error("the review changed since: it is of version {version}")]
    ReviewChanged {
        /// Which.
        version: String,
    },
    /// Nothing waits for a review.
    #[error("nothing waits for a review")]
    NothingToReview,
    /// Several owners have rows that wait.
    #[error("owner: is missing, and several have rows that wait: {}", .owners.join(", "))]
    WhichOwner {
        /// Their names.
        owners: Vec<String>,
    },
    /// Papers would lie in a source tree.
    #[error("folder: lies in the source tree {folder}, and could be published with it")]
    InSourceTree {
        /// Its root.
        folder: String,
    },
    /// Others can look into a folder.
    #[error("folder: others can look into {folder}")]
    NotPrivate {
        /// Which.
        folder: String,
    },
    /// Some of several facts are as they were.
    #[error("not done: {failed} of {}", counted(*.facts, "fact"))]
    FactsFailed {
        /// How many.
        failed: u64,
        /// Of how many.
        facts: u64,
    },
    /// The ledger is not as it must be.
    #[error("the ledger is not sound: {}", counted(*.found, "finding"))]
    Unsound {
        /// How many.
        found: u64,
    },
    /// Nobody of that name owns facts.
    #[error("owner: {owner} has no facts")]
    UnknownOwner {
        /// The name.
        owner: String,
    },
    /// The copy of some facts could not be made.
    #[error("the search index still lacks {}", counted(*.failed, "fact"))]
    NotProjected {
        /// How many.
        failed: u64,
    },
    /// The copy is not known to be equal to the truth.
    #[error("the search index is not known to agree with the ledger")]
    Incomplete,
    /// Asked again, a recall gave another answer.
    #[error("asked again, the answer is another one")]
    OtherAnswer,
    /// Somebody has to do something.
    #[error("there are gaps")]
    Gaps,
    /// The doctor found something.
    #[error("{}", problems(*.found, *.unmade))]
    Problems {
        /// How much.
        found: u64,
        /// How many checks could not be made.
        unmade: u64,
    },
    /// A check needs the store, which another check says cannot be opened.
    #[error("the store cannot be opened: `memory doctor migrations` says why")]
    NotOpened,
    /// The copy differs from the truth.
    #[error("the search index does not agree with the ledger")]
    Drifted,
    /// The model cannot be used.
    #[error("the {0}")]
    Model(#[from] EmbedError),
    /// The model was not fetched.
    #[error("the model was not fetched: {0}")]
    Pull(#[from] PullError),
    /// The answer cannot be written.
    #[error("cannot write the answer: {0}")]
    Output(#[from] io::Error),
    /// A part of the command itself broke.
    #[error("the command broke: {0}")]
    Broken(String),
    /// The person at the keyboard stopped it.
    #[error("interrupted")]
    Interrupted,
}

fn problems(found: u64, unmade: u64) -> String {
    let found = format!("found {}", counted(found, "problem"));
    if unmade == 0 { found } else { format!("{found}; {} could not be made", counted(unmade, "check")) }
}

/// What to do where nothing makes vectors.
const MODELS: &str =
    "`memory models list` shows which model is used; `memory models pull` fetches the local one";

impl From<BadModel> for CliError {
    fn from(bad: BadModel) -> Self {
        Self::Model(bad.into())
    }
}

impl From<BadInput> for CliError {
    fn from(bad: BadInput) -> Self {
        Self::Memory(bad.into())
    }
}

impl From<serde_json::Error> for CliError {
    fn from(error: serde_json::Error) -> Self {
        Self::Broken(error.to_string())
    }
}

impl CliError {
    /// A file that cannot be read or written.
    pub(crate) fn file(path: &Path, error: io::Error) -> Self {
        Self::File { path: path.display().to_string(), error }
    }

    /// True when whoever read the answer has seen enough.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        match self {
            Self::Output(error) | Self::Memory(MemoryError::Transfer(TransferError::Io(error))) => {
                error.kind() == io::ErrorKind::BrokenPipe
            }
            Self::Memory(_)
            | Self::Eval(_)
            | Self::Unconfirmed { .. }
            | Self::NoStore { .. }
            | Self::NoDataFolder
            | Self::File { .. }
            | Self::NotListening { .. }
            | Self::NeedsConfirmation { .. }
            | Self::OperatorOnly
            | Self::LinesFailed { .. }
            | Self::FactsFailed { .. }
            | Self::RowsRefused { .. }
            | Self::StepsRefused { .. }
            | Self::Review(_)
            | Self::Seal(_)
            | Self::NotSealable(_)
            | Self::ReviewChanged { .. }
            | Self::NothingToReview
            | Self::WhichOwner { .. }
            | Self::InSourceTree { .. }
            | Self::NotPrivate { .. }
            | Self::Unsound { .. }
            | Self::UnknownOwner { .. }
            | Self::NotProjected { .. }
            | Self::Incomplete
            | Self::OtherAnswer
            | Self::Gaps
            | Self::Problems { .. }
            | Self::NotOpened
            | Self::Drifted
            | Self::Model(_)
            | Self::Pull(_)
            | Self::Broken(_)
            | Self::Interrupted => false,
        }
    }

    /// What is said about it.
    pub(crate) fn verdict(&self) -> Verdict {
        let plain = |exit, code| Verdict::of(exit, code, self.to_string());
        match self {
            Self::Memory(error) => of_memory(error),
            Self::Eval(EvalError::Memory(error)) => of_memory(error),
            Self::Eval(EvalError::BadLine { .. } | EvalError::NoCategory { .. }) => {
                plain(Exit::Usage, "invalid-input")
            }
            Self::Eval(_) => plain(Exit::Failed, "eval-failed"),
            Self::Unconfirmed { key, .. } => plain(Exit::Failed, "commit-unconfirmed")
                .hint(format!("repeat it with --idempotency-key {}", key.as_str())),
            Self::NoStore { .. } => plain(Exit::Failed, "no-store")
                .hint("`memory facts write` begins one; --db or MEMORY_DB names another"),
            Self::NoDataFolder => plain(Exit::Failed, "no-store").hint("name a file with --db"),
            Self::File { .. } => plain(Exit::Failed, "file-failed"),
            Self::NotListening { .. } => {
                plain(Exit::Failed, "not-listening").hint("--listen names another address")
            }
            Self::NeedsConfirmation { .. } => {
                plain(Exit::NeedsConfirmation, "needs-confirmation").hint("repeat it with --yes to do it")
            }
            Self::OperatorOnly => plain(Exit::NotPermitted, "permission-denied").hint("leave out --as"),
            Self::LinesFailed { .. } => plain(Exit::Failed, "lines-failed")
                .hint("mend those lines and import the file again: what is there already is not doubled"),
            Self::FactsFailed { .. } => plain(Exit::Failed, "facts-failed"),
            Self::RowsRefused { .. } => plain(Exit::Failed, "rows-refused")
                .hint("mend those and import again: what is there already is not doubled"),
            Self::StepsRefused { .. } => plain(Exit::Failed, "steps-refused"),
            Self::Review(_) => plain(Exit::Usage, "bad-review"),
            Self::Seal(_) => plain(Exit::Usage, "bad-seal"),
            Self::NotSealable(_) => {
                plain(Exit::Failed, "not-sealable").hint("`memory adopt review` shows what is pending")
            }
            Self::ReviewChanged { .. } => plain(Exit::Changed, "review-changed"),
            Self::NothingToReview => plain(Exit::Failed, "nothing-to-review"),
            Self::WhichOwner { .. } => plain(Exit::Usage, "which-owner").hint("name one with --owner"),
            Self::InSourceTree { .. } => {
                plain(Exit::Usage, "in-source-tree").hint("name another with --folder")
            }
            Self::NotPrivate { folder } => {
                let hint = format!("`chmod 700 '{folder}'` closes it");
                plain(Exit::Usage, "not-private").hint(hint)
            }
            Self::Unsound { .. } => plain(Exit::Failed, "unsound"),
            Self::UnknownOwner { .. } => plain(Exit::Failed, "unknown-owner"),
            Self::NotProjected { .. } => plain(Exit::Failed, "not-projected")
                .hint("`memory projections status` names them; retry again once the cause is mended"),
            Self::Incomplete => plain(Exit::Failed, "incomplete"),
            Self::OtherAnswer => plain(Exit::Failed, "other-answer"),
            Self::Gaps => plain(Exit::Failed, "gaps"),
            Self::Problems { .. } => plain(Exit::Failed, "problems"),
            Self::NotOpened => plain(Exit::Failed, "not-opened"),
            Self::Drifted => plain(Exit::Failed, "drifted").hint("`memory projections repair` mends it"),
            Self::Model(_) => plain(Exit::Failed, "model-unusable").hint(MODELS),
            Self::Pull(_) => plain(Exit::Failed, "model-not-fetched")
                .hint("--from names a folder or an archive that holds its files"),
            Self::Output(_) => plain(Exit::Failed, "output-failed"),
            Self::Broken(_) => plain(Exit::Failed, "broken"),
            Self::Interrupted => plain(Exit::Interrupted, "interrupted"),
        }
    }
}

fn of_source(error: &SourceError) -> Exit {
    match error {
        SourceError::NotOfThisSource { .. } | SourceError::TooLarge { .. } => Exit::Usage,
        SourceError::Locked { .. } => Exit::InUse,
        SourceError::Unreadable { .. } | SourceError::Database { .. } => Exit::Failed,
    }
}

/// What an error says, and what its causes say.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |told, cause| format!("{told}: {cause}"))
}

fn of_adoption(error: &AdoptionError) -> Verdict {
    let plain = |exit, code| Verdict::of(exit, code, error.to_string());
    match error {
        AdoptionError::NotSealed => {
            plain(Exit::Usage, "not-sealed").hint("`memory adopt seal` seals a review")
        }
        AdoptionError::Unfinished { adoption } => {
            let back = format!("`memory adopt rollback {adoption} --yes` takes it back");
            plain(Exit::Failed, "adoption-unfinished")
                .hint(format!("`memory adopt apply` with its sealed review finishes it, {back}"))
        }
        AdoptionError::Changed { .. } => {
            plain(Exit::Changed, "legacy-row-changed").hint("`memory adopt audit` begins a new review")
        }
        AdoptionError::Store(error) => of_store(error),
    }
}

/// What is said about an error.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Verdict {
    #[serde(skip)]
    pub(crate) exit: Exit,
    pub(crate) code: &'static str,
    pub(crate) message: String,
    /// The version that is current, where another was expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) current_version: Option<RevisionNumber>,
    /// The version of the conflict, where another was expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) conflict_version: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
}

impl Verdict {
    pub(crate) fn of(exit: Exit, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            exit,
            code,
            message: message.into(),
            current_version: None,
            conflict_version: None,
            hint: None,
        }
    }

    fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

pub(crate) fn of_memory(error: &MemoryError) -> Verdict {
    let plain = |exit, code| Verdict::of(exit, code, error.to_string());
    match error {
        MemoryError::BadInput(_) => plain(Exit::Usage, "invalid-input"),
        MemoryError::Secret(_) => plain(Exit::Usage, "secret-refused")
            .hint("say it without the secret; MEMORY_SECRETS=redact keeps the rest of what has one in it"),
        MemoryError::NotFound => plain(Exit::NotFound, "fact-not-found"),
        MemoryError::AwaitingReconciliation => plain(Exit::Failed, "awaiting-reconciliation")
            .hint("`memory adopt audit` begins its review; `memory ledger erase` lets go of it for ever"),
        MemoryError::NoSuchAdoption => {
            plain(Exit::NotFound, "adoption-not-found").hint("`memory adopt list --adoptions` shows them")
        }
        MemoryError::Adoption(error) => of_adoption(error),
        MemoryError::LegacyDamaged { .. } => plain(Exit::Failed, "legacy-damaged")
            .hint("`memory ledger check` names them; `memory ledger erase ROW --yes` lets go of one"),
        MemoryError::AdoptionRolledBack { .. } => {
            plain(Exit::Failed, "adoption-rolled-back").hint("`memory adopt audit` begins a new review")
        }
        MemoryError::Source(source) => Verdict::of(of_source(source), "source-unreadable", chain(source)),
        MemoryError::KeyTaken { .. } => plain(Exit::Failed, "key-taken"),
        MemoryError::NoSuchConflict => {
            plain(Exit::NotFound, "conflict-not-found").hint("`memory conflicts list` shows what is open")
        }
        MemoryError::NoSuchReview => {
            plain(Exit::NotFound, "review-not-found").hint("`memory review list` shows what waits")
        }
        MemoryError::NoSuchReceipt => {
            plain(Exit::NotFound, "receipt-not-found").hint("`memory receipts list` shows what is kept")
        }
        MemoryError::NoSuchKey => {
            plain(Exit::NotFound, "key-not-found").hint("`memory keys list` shows them")
        }
        MemoryError::BadKey => plain(Exit::NotPermitted, "unauthenticated"),
        MemoryError::QueryForgotten => plain(Exit::Failed, "query-forgotten"),
        MemoryError::NotCurrent { .. } => {
            plain(Exit::NotFound, "fact-not-current").hint("`memory facts revisions FACT` shows its history")
        }
        MemoryError::NotPermitted => plain(Exit::NotPermitted, "permission-denied"),
        MemoryError::Refused(refusal) => of_refusal(refusal),
        MemoryError::KeyReused => plain(Exit::Failed, "idempotency-conflict"),
        MemoryError::Contention => plain(Exit::Failed, "contention"),
        MemoryError::Intent { error: inner, .. } => {
            Verdict { message: error.to_string(), ..of_memory(inner) }
        }
        MemoryError::RunLacks(what) => plain(Exit::Failed, what.name()),
        MemoryError::SemanticUnavailable => plain(Exit::Failed, "semantic-unavailable").hint(MODELS),
        MemoryError::Embedder(_) => plain(Exit::Failed, "embedder-failed").hint(MODELS),
        MemoryError::Erase(error) => of_erase(error),
        MemoryError::Transfer(error) => of_transfer(error),
        MemoryError::Open(error) => of_open(error),
        MemoryError::Store(error) => of_store(error),
        MemoryError::Index(error) => of_index(error),
        MemoryError::IndexPaused { .. } => plain(Exit::Failed, "index-unreachable"),
        MemoryError::Forbidden(_) => plain(Exit::Failed, "internal"),
        MemoryError::NoRandomness(_) => plain(Exit::Failed, "no-randomness"),
    }
}

fn of_refusal(refusal: &Refusal) -> Verdict {
    let plain = |exit, code| Verdict::of(exit, code, refusal.to_string());
    match refusal {
        Refusal::Changed { current: Some(version) } => Verdict {
            message: format!("{refusal}: its current version is {version}"),
            current_version: Some(*version),
            ..plain(Exit::Changed, "fact-changed")
        },
        Refusal::Changed { current: None } => Verdict {
            message: format!("{refusal}: nothing of it is current"),
            ..plain(Exit::Changed, "fact-changed")
        },
        Refusal::LegalHold => {
            plain(Exit::Failed, "legal-hold").hint("`memory facts hold FACT --lift` lifts it")
        }
        Refusal::NotPermitted { why: Barrier::OwnerOnly } => plain(Exit::NotPermitted, "permission-denied")
            .hint("--as user:ID acts as the owner, --actor user:ID with the rights of the operator"),
        Refusal::NotPermitted { .. } => plain(Exit::NotPermitted, "permission-denied"),
        Refusal::ConflictChanged { version: Some(version) } => Verdict {
            message: format!("{refusal}: its version is {version}"),
            conflict_version: Some(*version),
            ..plain(Exit::Changed, "conflict-changed")
        }
        .hint("`memory conflicts show CONFLICT` shows it as it is now"),
        Refusal::ConflictChanged { version: None } => Verdict {
            message: format!("{refusal}: it is not open"),
            ..plain(Exit::Changed, "conflict-changed")
        },
        Refusal::NotReopenable => plain(Exit::Failed, "not-reopenable"),
        Refusal::NotWaiting => plain(Exit::Failed, "not-waiting"),
        Refusal::NotCurrent => {
            plain(Exit::NotFound, "fact-not-current").hint("`memory facts revisions FACT` shows its history")
        }
        Refusal::Merged { .. } => plain(Exit::NotFound, "fact-merged")
            .hint("`memory duplicates split FACT` makes it a fact of its own again"),
        Refusal::NotMerged => plain(Exit::Usage, "not-merged"),
        Refusal::Taken { .. } => plain(Exit::Failed, "taken").hint(
            "`memory facts revisions FACT` shows the other one; one that was forgotten can be restored",
        ),
        Refusal::Contested { .. } => {
            plain(Exit::Failed, "contested").hint("`memory conflicts list` shows what waits for its owner")
        }
        Refusal::ConflictFull => plain(Exit::Failed, "conflict-full"),
        Refusal::NotLatest => plain(Exit::Failed, "not-latest"),
        Refusal::StillCurrent => plain(Exit::Failed, "still-current"),
        Refusal::BadInput(_) => plain(Exit::Usage, "invalid-input"),
    }
}

fn of_erase(error: &EraseError) -> Verdict {
    let plain = |exit, code| Verdict::of(exit, code, error.to_string());
    match error {
        EraseError::NotFound => plain(Exit::NotFound, "nothing-to-erase"),
        EraseError::LegalHold => {
            plain(Exit::Failed, "legal-hold").hint("`memory facts hold FACT --lift` lifts it")
        }
        EraseError::KeyReused => plain(Exit::Failed, "idempotency-conflict"),
        EraseError::Store(error) => of_store(error),
        EraseError::LogInUse => plain(Exit::InUse, "log-in-use"),
    }
}

fn of_transfer(error: &TransferError) -> Verdict {
    let plain = |exit, code| Verdict::of(exit, code, error.to_string());
    match error {
        TransferError::Io(_) => plain(Exit::Failed, "dump-failed"),
        TransferError::BadLine { .. } => plain(Exit::Usage, "invalid-dump"),
        TransferError::NotEmpty => plain(Exit::Failed, "not-empty").hint("name a new file with --db"),
        TransferError::Store(error) => of_store(error),
    }
}

fn of_open(error: &OpenError) -> Verdict {
    let plain = |code| Verdict::of(Exit::Failed, code, error.to_string());
    match error {
        OpenError::Newer { .. } => plain("store-newer").hint("use the version that made it, or a later one"),
        OpenError::Changed { .. } => plain("store-foreign"),
        OpenError::Empty => plain("store-empty").hint("`memory facts write` begins one"),
        OpenError::Older { .. } => plain("store-older").hint("`memory ledger check` brings it up to date"),
        OpenError::Store(StoreError::Damaged { .. }) => {
            plain("store-damaged").hint("load a dump into a new store, or bring back a copy of the file")
        }
        OpenError::Store(error) => of_store(error),
    }
}

fn of_store(error: &StoreError) -> Verdict {
    let plain = |exit, code| Verdict::of(exit, code, error.to_string());
    match error {
        StoreError::Busy => {
            plain(Exit::InUse, "store-busy").hint("MEMORY_BUSY_SECONDS says how long to wait")
        }
        StoreError::Full => plain(Exit::Failed, "storage-full"),
        StoreError::Unreachable(_) => plain(Exit::Failed, "store-unreachable"),
        StoreError::Unconfirmed(_) => plain(Exit::Failed, "commit-unconfirmed"),
        StoreError::Damaged { .. } => {
            plain(Exit::Failed, "store-damaged").hint("`memory ledger check` says what is wrong with it")
        }
        StoreError::Refused(_) => plain(Exit::Failed, "store-refused"),
        StoreError::Closed => plain(Exit::Failed, "store-closed"),
    }
}

fn of_index(error: &IndexError) -> Verdict {
    let plain = |code| Verdict::of(Exit::Failed, code, format!("the search {error}"));
    let anew = "it is a copy: `memory projections rebuild` makes it anew from the ledger";
    match error {
        IndexError::Unreachable(_) => plain("index-unreachable"),
        IndexError::Refused(_) => plain("index-refused"),
        IndexError::Corrupt(_) => plain("index-damaged").hint(anew),
        IndexError::OtherForm { .. } => plain("index-foreign").hint(anew),
    }
}
