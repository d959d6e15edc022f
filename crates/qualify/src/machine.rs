//! The rules of the doctor: what is found about the machine and the engine. Pure.

use fact::{Id, Timestamp};
use ledger::EngineFacts;

use crate::finding::Finding;
use crate::words::SECOND_MICROS;

/// Older ones can damage a log that several processes write.
const SQLITE_VERSION_MIN: &str = "3.51.3";
const POSTGRES_VERSION_MIN: &str = "15";
/// Less room than this, and the next checkpoint or rebuild may not end.
const ROOM_BYTES_MIN: u64 = 256 << 20;
/// Clocks of machines that are set by the same servers differ by less.
const CLOCK_SECONDS_MAX: i64 = 5;
/// Permissions of a group and of everybody else.
const OTHERS: u32 = 0o077;

/// What the engine says of itself.
pub fn engine(facts: &EngineFacts) -> Vec<Finding> {
    let EngineFacts { name, version, settings } = facts;
    let needed = if *name == "SQLite" { SQLITE_VERSION_MIN } else { POSTGRES_VERSION_MIN };
    let old = Finding::EngineOld { engine: name, version: version.clone(), needed };
    let unsafe_ones = settings.iter().filter(|(_, is, wanted)| is != wanted);
    let unsafe_ones =
        unsafe_ones.map(|(setting, is, wanted)| Finding::EngineUnsafe { setting, is: is.clone(), wanted });
    (numbers(version) < numbers(needed)).then_some(old).into_iter().chain(unsafe_ones).collect()
}

/// The numbers that a version begins with.
fn numbers(version: &str) -> Vec<u32> {
    let version = version.split(|c: char| c != '.' && !c.is_ascii_digit()).next().unwrap_or_default();
    version.split('.').map_while(|number| number.parse().ok()).collect()
}

/// How many faults the engine finds in its own pages.
pub fn pages(faults: Option<u64>) -> Option<Finding> {
    faults.filter(|faults| *faults > 0).map(|faults| Finding::PagesDamaged { faults })
}

/// The bytes that are free where a store lies.
pub fn room(path: &str, bytes: u64) -> Option<Finding> {
    (bytes < ROOM_BYTES_MIN).then(|| Finding::RoomShort { path: path.to_owned(), bytes })
}

/// The permissions of a file, and of the folder that it lies in: a folder that is closed closes what is in it.
pub fn permissions(path: &str, file: u32, folder: u32) -> Option<Finding> {
    (file & OTHERS != 0 && folder & OTHERS != 0).then(|| Finding::Readable { path: path.to_owned() })
}

/// The machine's clock, and when the last event of a tenant was recorded.
pub fn clock(tenant: &Id, now: Timestamp, recorded: Timestamp) -> Option<Finding> {
    let seconds = (recorded.micros() - now.micros()) / SECOND_MICROS;
    (seconds > CLOCK_SECONDS_MAX).then(|| Finding::ClockBehind { tenant: tenant.clone(), seconds })
}
