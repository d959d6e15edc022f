//! The metrics of the ledger: what they are called, what they mean, and where they are counted. Names of ours alone
//! stand in them, never an id and never a word of a fact.

use metrics::{Unit, counter, describe_counter, describe_histogram, histogram};

const APPENDS: &str = "truthkeeper_appends_total";
const GROUP_WORKS: &str = "truthkeeper_group_works";

/// Tells the recorder what each of them means.
pub(crate) fn describe() {
    describe_counter!(APPENDS, Unit::Count, "Changes of facts that were appended to the ledger.");
    describe_histogram!(
        GROUP_WORKS,
        Unit::Count,
        "Works that one transaction of the ledger's writer took together."
    );
}

/// A change was appended.
pub(crate) fn appended() {
    counter!(APPENDS).increment(1);
}

/// So many works went into one transaction.
pub(crate) fn grouped(works: usize) {
    histogram!(GROUP_WORKS).record(u32::try_from(works).unwrap_or(u32::MAX));
}
