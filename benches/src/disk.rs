//! What the disk itself can do: the ceiling of everything that must be durable.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// Appends of a page with fdatasync, a second.
pub(crate) fn syncs_a_second(folder: &Path) -> std::io::Result<f64> {
    let mut file = File::create(folder.join("sync"))?;
    let start = Instant::now();
    let mut count = 0;
    while start.elapsed() < Duration::from_secs(2) {
        file.write_all(&[7; 4_096])?;
        file.sync_data()?;
        count += 1;
    }
    Ok(super::timing::rate(count, start))
}
