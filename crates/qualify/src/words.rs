//! The words for findings, and the command that mends each.

use std::fmt;

use fact::{Id, Timestamp};
use ledger::{Drift, OpenError, SettingKey, StoreError};

use crate::finding::{Finding, SnapshotFault};

pub(crate) const SECOND_MICROS: i64 = 1_000_000;
/// The tenant whom a command means when nobody says.
const DEFAULT_TENANT: &str = "local";
/// Owners who are named; more are counted.
const NAMED_MAX: usize = 5;

/// `1 event`, `2 events`.
pub(crate) fn counted(count: u64, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

/// How long after `then` it is at `now`.
pub(crate) fn age(then: Timestamp, now: Timestamp) -> String {
    seconds((now.micros() - then.micros()) / SECOND_MICROS)
}

fn seconds(seconds: i64) -> String {
    match seconds {
        ..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

/// Bytes in a unit that can be read.
pub(crate) fn bytes(bytes: u64) -> String {
    match bytes {
        ..10_240 => format!("{bytes} bytes"),
        10_240..10_485_760 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}

fn named<'a>(owners: impl ExactSizeIterator<Item = &'a String>) -> String {
    let more = owners.len().saturating_sub(NAMED_MAX);
    let mut names: Vec<String> = owners.take(NAMED_MAX).cloned().collect();
    if more > 0 {
        names.push(format!("{more} more"));
    }
    names.join(", ")
}

fn of(tenant: &Id) -> String {
    if tenant.as_str() == DEFAULT_TENANT { String::new() } else { format!("tenant {tenant}: ") }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOpened { why } => why.fmt(f),
            Self::NothingRecorded { .. } => f.write_str("nothing was recorded yet"),
            Self::NotProjected { tenant, failed, blocked } => {
                let facts = counted(*failed, "fact");
                write!(f, "{}the copy of {facts} failed, {blocked} changed again since", of(tenant))
            }
            Self::Late { tenant, waiting, since, seconds: late } => {
                let (facts, late) = (counted(*waiting, "fact"), seconds(*late));
                write!(f, "{}the copy of {facts} is awaited for {late}, since {since}", of(tenant))
            }
            Self::UnderWay { tenant, waiting } => write!(f, "{}{}", of(tenant), being_made(*waiting)),
            Self::NeverChecked { tenant, owners } => {
                write!(f, "{}never checked: {}", of(tenant), named(owners.iter()))
            }
            Self::CheckedBefore { tenant, owners } => {
                write!(f, "{}changed after the last check: {}", of(tenant), named(owners.keys()))
            }
            Self::Drifted { tenant, drift } => {
                let count = |kind: &Drift| drift.get(kind).map(|count| format!("{count} {}", kind.name()));
                let counts: Vec<String> = Drift::ALL.iter().filter_map(count).collect();
                write!(f, "{}the index differs: {}", of(tenant), counts.join(", "))
            }
            Self::CopyDamaged { tenant } => write!(f, "{}the index is damaged", of(tenant)),
            Self::Unclassified { tenant, owners, rows } => {
                write!(f, "{}{}", of(tenant), undecided(owners, *rows))
            }
            Self::AdoptionUnfinished { tenant, adoption } => {
                write!(f, "{}adoption {adoption} has begun and not ended", of(tenant))
            }
            Self::NeverProved { tenant } => write!(f, "{}the ledger was never checked", of(tenant)),
            Self::Unsound { tenant, found } => {
                write!(f, "{}the ledger is not sound: {}", of(tenant), counted(*found, "finding"))
            }
            Self::Cut { tenant, position } => {
                let tenant = of(tenant);
                write!(f, "{tenant}event {position} was there at the last check, and is not there any more")
            }
            Self::Unended { tenant } => {
                write!(f, "{}the last event that the ledger names is not there", of(tenant))
            }
            Self::LogLong { bytes: long } => write!(f, "the log beside the database has {}", bytes(*long)),
            Self::Readable { path } => write!(f, "others can open {path}"),
            Self::RoomShort { path, bytes: free } => write!(f, "{} free in {path}", bytes(*free)),
            Self::Misconfigured { name, problem, mend: _ } => write!(f, "{name} {problem}"),
            Self::EngineOld { engine, version, needed } => {
                write!(f, "{engine} is {version}, and must be {needed} or later")
            }
            Self::EngineUnsafe { setting, is, wanted } => {
                write!(f, "{setting} is {is}, and must be {wanted}")
            }
            Self::PagesDamaged { faults } => {
                write!(f, "the database is damaged: {}", counted(*faults, "fault"))
            }
            Self::ClockBehind { tenant, seconds: behind } => {
                write!(f, "{}the clock is {} behind the last event", of(tenant), seconds(*behind))
            }
            Self::IndexFailed { tenant, why } => write!(f, "{}the search {why}", of(tenant)),
            Self::EmbedderFailed { why } => write!(f, "the {why}"),
            Self::ModelOutdated { serving } => write!(f, "searches go by another model: {serving}"),
            Self::SettingChanged { tenant, key, .. } => {
                write!(f, "{}changed since the snapshot: {}", of(tenant), setting(key))
            }
            Self::BehindSnapshot { tenant, position } => {
                let tenant = of(tenant);
                write!(f, "{tenant}event {position} is not there, or not as the snapshot has it")
            }
            Self::Snapshot { path, fault } => write!(f, "{path}: {fault}"),
        }
    }
}

fn being_made(waiting: u64) -> String {
    format!("the copy of {} is being made", counted(waiting, "fact"))
}

fn undecided(owners: &[String], rows: u64) -> String {
    let rows = counted(rows, "legacy row");
    format!("{rows} undecided after a review was applied: {}", named(owners.iter()))
}

impl Finding {
    /// What mends it, or shows what is to be mended by hand.
    pub fn mend(&self) -> Option<String> {
        Some(match self {
            Self::NotOpened { why } => return reopened(why).map(str::to_owned),
            Self::NothingRecorded { .. } => "memory facts write".to_owned(),
            Self::NotProjected { tenant, .. } => command("projections retry", tenant),
            Self::Late { tenant, .. } => command("projections rebuild", tenant),
            Self::UnderWay { .. } | Self::LogLong { .. } => return None,
            Self::NeverChecked { tenant, .. } | Self::CheckedBefore { tenant, .. } => {
                command("projections check", tenant)
            }
            Self::Drifted { tenant, .. } | Self::CopyDamaged { tenant } => {
                command("projections repair", tenant)
            }
            Self::Unclassified { tenant, .. } => command("adopt audit", tenant),
            Self::AdoptionUnfinished { tenant, .. } => command("adopt list --adoptions", tenant),
            Self::NeverProved { .. } => "memory ledger check".to_owned(),
            Self::Unsound { .. } => "memory ledger rebuild --yes && memory ledger check".to_owned(),
            Self::Readable { path } => format!("chmod go= '{path}'*"),
            Self::RoomShort { .. } | Self::EngineOld { .. } | Self::ClockBehind { .. } => return None,
            Self::Misconfigured { mend, .. } => return mend.clone(),
            // Whatever writes sets SQLite's again.
            Self::EngineUnsafe { setting: "journal_mode", .. } => "memory ledger check".to_owned(),
            Self::EngineUnsafe { setting, wanted, .. } => format!("ALTER SYSTEM SET {setting} = {wanted}"),
            Self::PagesDamaged { .. } => "memory ledger load".to_owned(),
            Self::IndexFailed { tenant, .. } => command("projections rebuild", tenant),
            Self::EmbedderFailed { .. } => "memory models use off".to_owned(),
            Self::ModelOutdated { .. } => "memory projections rebuild".to_owned(),
            Self::Cut { .. } | Self::Unended { .. } | Self::BehindSnapshot { .. } => {
                "memory ledger load".to_owned()
            }
            Self::SettingChanged { tenant, key, was: Some(was) } => {
                command(&format!("settings set {}", arguments(key, was)), tenant)
            }
            Self::SettingChanged { was: None, .. } => "memory_qualification --record".to_owned(),
            Self::Snapshot { path, fault } => return set_aside(path, fault),
        })
    }
}

/// A default in words, such as `model of channel web`.
fn setting(key: &SettingKey) -> String {
    let parts: Vec<String> = key.parts().into_iter().map(|(name, part)| format!(" {name} {part}")).collect();
    format!("{}{}", key.field, parts.join(","))
}

/// A default on the command line.
fn arguments(key: &SettingKey, value: &str) -> String {
    let parts = key.parts().into_iter().map(|(name, part)| format!("--{name} {part} "));
    format!("{}{} {value}", parts.collect::<String>(), key.field)
}

fn command(verb: &str, tenant: &Id) -> String {
    if tenant.as_str() == DEFAULT_TENANT {
        return format!("memory {verb}");
    }
    format!("memory {verb} --tenant {tenant}")
}

fn reopened(why: &OpenError) -> Option<&'static str> {
    match why {
        OpenError::Empty => Some("memory facts write"),
        OpenError::Older { .. } | OpenError::Store(StoreError::Busy) => Some("memory ledger check"),
        OpenError::Store(StoreError::Damaged { .. }) | OpenError::Changed { .. } => {
            Some("memory ledger load")
        }
        OpenError::Newer { .. }
        | OpenError::Store(
            StoreError::Full
            | StoreError::Unreachable(_)
            | StoreError::Unconfirmed(_)
            | StoreError::Refused(_)
            | StoreError::Closed,
        ) => None,
    }
}

/// What cannot be compared with is kept, and out of the way of the next snapshot.
fn set_aside(path: &str, fault: &SnapshotFault) -> Option<String> {
    match fault {
        SnapshotFault::Damaged | SnapshotFault::Foreign => Some(format!("mv '{path}' '{path}.old'")),
        SnapshotFault::Newer(_) | SnapshotFault::Unreachable(_) => None,
    }
}
