//! What can be found about an install: one closed list, each with its evidence in ids, counts and times.

use std::collections::BTreeMap;

use fact::{AdoptionId, Id, Position, Timestamp};
use ledger::{Drift, OpenError, SettingKey};
use serde::{Serialize, Serializer};

use crate::area::{Area, Condition};

/// Something that was found. Its words are its `Display`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase", tag = "kind")]
pub enum Finding {
    /// The store could not be opened.
    NotOpened {
        /// Why.
        #[serde(serialize_with = "text")]
        why: OpenError,
    },
    /// Nothing was recorded yet.
    NothingRecorded {
        /// What there is nothing of.
        area: Area,
    },
    /// The copy of some facts was tried as often as it is, and failed.
    NotProjected {
        /// Whose facts.
        tenant: Id,
        /// How many.
        failed: u64,
        /// How many of them changed again since.
        blocked: u64,
    },
    /// The copy of some facts is awaited for longer than any work takes.
    Late {
        /// Whose facts.
        tenant: Id,
        /// How many.
        waiting: u64,
        /// When the first of them changed.
        #[serde(serialize_with = "exact")]
        since: Timestamp,
        /// How long that is ago, in seconds.
        seconds: i64,
    },
    /// The copy of some facts is just being made.
    UnderWay {
        /// Whose facts.
        tenant: Id,
        /// How many.
        waiting: u64,
    },
    /// The rows of some owners were never compared with the ledger.
    NeverChecked {
        /// Whose owners.
        tenant: Id,
        /// Their names.
        owners: Vec<String>,
    },
    /// The rows of some owners changed after they were compared.
    CheckedBefore {
        /// Whose owners.
        tenant: Id,
        /// Their names, with how often their rows changed.
        owners: BTreeMap<String, u64>,
    },
    /// The copy differs from the ledger.
    Drifted {
        /// Whose facts.
        tenant: Id,
        /// How many differ, by how.
        drift: BTreeMap<Drift, u64>,
    },
    /// Something is wrong with the copy beyond single rows.
    CopyDamaged {
        /// In whose check it was found.
        tenant: Id,
    },
    /// Reviews were applied of owners who have legacy rows that nobody has decided about.
    Unclassified {
        /// Whose owners.
        tenant: Id,
        /// Their names.
        owners: Vec<String>,
        /// How many rows.
        rows: u64,
    },
    /// An adoption has begun and not ended.
    AdoptionUnfinished {
        /// Whose.
        tenant: Id,
        /// Which.
        adoption: AdoptionId,
    },
    /// The ledger was never checked.
    NeverProved {
        /// Whose.
        tenant: Id,
    },
    /// The last check of the ledger found something.
    Unsound {
        /// Whose.
        tenant: Id,
        /// How much.
        found: u64,
    },
    /// The event is gone, or is another, with which the last check ended.
    Cut {
        /// Whose.
        tenant: Id,
        /// Its position.
        position: Position,
    },
    /// The event is not there that the ledger names as its last.
    Unended {
        /// Whose.
        tenant: Id,
    },
    /// The database's log is so long that somebody must be reading for ever.
    LogLong {
        /// Its bytes.
        bytes: u64,
    },
    /// Others than its owner can open a file of the store.
    Readable {
        /// The file.
        path: String,
    },
    /// There is little room where the store lies.
    RoomShort {
        /// The folder.
        path: String,
        /// The bytes that are free.
        bytes: u64,
    },
    /// What the command is told makes no sense.
    Misconfigured {
        /// Where it is told.
        name: String,
        /// What is wrong with it.
        problem: String,
        /// What puts it right, where a command does.
        mend: Option<String>,
    },
    /// The database engine has faults that a newer version has not.
    EngineOld {
        /// Its name.
        engine: &'static str,
        /// Its version.
        version: String,
        /// The first version that will do.
        needed: &'static str,
    },
    /// The database engine may lose what it has confirmed.
    EngineUnsafe {
        /// What is set.
        setting: &'static str,
        /// How it is.
        is: String,
        /// How it must be.
        wanted: &'static str,
    },
    /// The database's own pages are not whole.
    PagesDamaged {
        /// How many faults the engine found.
        faults: u64,
    },
    /// The machine's clock is behind what was recorded.
    ClockBehind {
        /// By whom.
        tenant: Id,
        /// How far, in seconds.
        seconds: i64,
    },
    /// The index cannot be read.
    IndexFailed {
        /// Whose rows were looked at.
        tenant: Id,
        /// Why.
        why: String,
    },
    /// What makes vectors does not answer as it must.
    EmbedderFailed {
        /// Why.
        why: String,
    },
    /// Searches go by another model than today's.
    ModelOutdated {
        /// Which.
        serving: String,
    },
    /// A default of the engine is not the one that the snapshot has.
    SettingChanged {
        /// Whose.
        tenant: Id,
        /// Which.
        key: SettingKey,
        /// What it was; nothing where it is new.
        was: Option<String>,
    },
    /// The ledger does not reach the event that the snapshot names.
    BehindSnapshot {
        /// Whose.
        tenant: Id,
        /// The event's position.
        position: Position,
    },
    /// The snapshot cannot be compared with.
    Snapshot {
        /// Where it lies.
        path: String,
        /// Why.
        fault: SnapshotFault,
    },
}

/// Why a snapshot cannot be compared with, or not be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "kebab-case", tag = "fault", content = "detail")]
pub enum SnapshotFault {
    /// It is not what was written.
    #[error("it is damaged")]
    Damaged,
    /// It is some other file.
    #[error("it is no snapshot of a qualification")]
    Foreign,
    /// A newer version wrote it.
    #[error("it is from a newer version: it has form {0}, this version knows {known}", known = crate::snapshot::FORM)]
    Newer(u64),
    /// It cannot be read or written.
    #[error("{0}")]
    Unreachable(String),
}

impl Finding {
    /// The part that it is about; the machine and a snapshot are no part of the install.
    pub fn area(&self) -> Option<Area> {
        Some(match self {
            Self::NotOpened { .. } | Self::LogLong { .. } => Area::Storage,
            Self::NothingRecorded { area } => *area,
            Self::NotProjected { .. } | Self::Late { .. } | Self::UnderWay { .. } => Area::Projection,
            Self::NeverChecked { .. }
            | Self::CheckedBefore { .. }
            | Self::Drifted { .. }
            | Self::CopyDamaged { .. } => Area::IndexDrift,
            Self::Unclassified { .. } | Self::AdoptionUnfinished { .. } => Area::Reconciliation,
            Self::NeverProved { .. } | Self::Unsound { .. } | Self::Cut { .. } | Self::Unended { .. } => {
                Area::LedgerIntegrity
            }
            Self::Readable { .. }
            | Self::RoomShort { .. }
            | Self::Misconfigured { .. }
            | Self::EngineOld { .. }
            | Self::EngineUnsafe { .. }
            | Self::PagesDamaged { .. }
            | Self::ClockBehind { .. }
            | Self::IndexFailed { .. }
            | Self::EmbedderFailed { .. }
            | Self::ModelOutdated { .. }
            | Self::SettingChanged { .. }
            | Self::BehindSnapshot { .. }
            | Self::Snapshot { .. } => return None,
        })
    }

    /// How bad that is for its area.
    pub fn condition(&self) -> Condition {
        match self {
            Self::NothingRecorded { .. } => Condition::NotInitialized,
            Self::UnderWay { .. } => Condition::Pending,
            Self::CheckedBefore { .. } | Self::NeverProved { .. } => Condition::NotVerified,
            Self::LogLong { .. } => Condition::Active,
            Self::NotOpened { .. }
            | Self::NotProjected { .. }
            | Self::Late { .. }
            | Self::NeverChecked { .. }
            | Self::Drifted { .. }
            | Self::CopyDamaged { .. }
            | Self::Unclassified { .. }
            | Self::AdoptionUnfinished { .. }
            | Self::Unsound { .. }
            | Self::Cut { .. }
            | Self::Unended { .. }
            | Self::Readable { .. }
            | Self::RoomShort { .. }
            | Self::Misconfigured { .. }
            | Self::EngineOld { .. }
            | Self::EngineUnsafe { .. }
            | Self::PagesDamaged { .. }
            | Self::ClockBehind { .. }
            | Self::IndexFailed { .. }
            | Self::EmbedderFailed { .. }
            | Self::ModelOutdated { .. }
            | Self::SettingChanged { .. }
            | Self::BehindSnapshot { .. }
            | Self::Snapshot { .. } => Condition::Incomplete,
        }
    }
}

fn text<S: Serializer>(why: &OpenError, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(why)
}

fn exact<S: Serializer>(time: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&time.exact())
}
