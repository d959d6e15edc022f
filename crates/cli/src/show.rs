//! Facts and receipts as people and programs read them.

pub(crate) mod escape;
pub(crate) mod fact;
pub(crate) mod fit;
pub(crate) mod json;
pub(crate) mod receipt;
pub(crate) mod table;

/// `1 event`, `2 events`.
pub(crate) fn counted(count: impl TryInto<u64>, thing: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}
