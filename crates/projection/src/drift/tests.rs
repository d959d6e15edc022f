//! Every way in which a copy can differ, and nothing else.

use std::collections::BTreeMap;

use fact::{FactId, Id, RevisionNumber, Scope};
use index::{Around, Entry, RowKey, Source};

use super::{Drift, Likeness, Wanted, compare};

fn fact(number: u8) -> FactId {
    FactId::parse(&format!("01981f6e-6a1c-7c3e-8f0a-0123456789{number:02x}")).unwrap()
}

fn row(revision: u32) -> Likeness {
    let digest = format!("digest {revision}");
    Likeness { revision: RevisionNumber::new(revision).unwrap(), digest, around: Around::default() }
}

/// A row with the number of its fact.
fn entry(number: u8, revision: u32) -> Entry {
    let Likeness { revision, digest, around } = row(revision);
    let scope = Scope::parse_path("scope", &Id::parse("tenant", "local").unwrap(), "user:ann").unwrap();
    let key = RowKey { source: Source::Fact, revision, digest, around, by_these_rules: true };
    Entry { number: i64::from(number), fact: fact(number), key, scope, findable: true, embedded: true }
}

/// What differs when facts 1 to n are at these revisions, none where nothing of them is current.
fn check(revisions: &[Option<u32>], entries: &[Entry], expected: &[(Drift, u8, Option<i64>)]) {
    let wanted: BTreeMap<_, _> = (1..)
        .zip(revisions)
        .map(|(number, revision)| (fact(number), Wanted { row: revision.map(row) }))
        .collect();
    let found: Vec<_> =
        compare(&wanted, entries).into_iter().map(|one| (one.drift, one.fact, one.row)).collect();
    let expected: Vec<_> =
        expected.iter().map(|(drift, number, row)| (*drift, fact(*number), *row)).collect();
    assert_eq!(found, expected);
}

#[test]
fn equal_copies_do_not_differ() {
    check(&[], &[], &[]);
    check(&[Some(1), None, Some(3)], &[entry(1, 1), entry(3, 3)], &[]);
}

#[test]
fn each_difference_has_its_name() {
    check(&[Some(1)], &[], &[(Drift::Missing, 1, None)]);
    check(&[Some(1)], &[Entry { findable: false, ..entry(1, 1) }], &[(Drift::Missing, 1, Some(1))]);
    check(&[None], &[entry(1, 1)], &[(Drift::Leftover, 1, Some(1))]);
    check(&[Some(2)], &[entry(1, 1)], &[(Drift::Stale, 1, Some(1))]);
    let mut other = entry(1, 1);
    other.key.digest = "other".to_owned();
    check(&[Some(1)], &[other], &[(Drift::Stale, 1, Some(1))]);
    let mut elsewhere = entry(1, 1);
    elsewhere.key.around.sequence = Some(2);
    check(&[Some(1)], &[elsewhere], &[(Drift::Stale, 1, Some(1))]);
    check(&[], &[entry(1, 1)], &[(Drift::Unknown, 1, Some(1))]);
    let again = Entry { number: 9, ..entry(1, 1) };
    check(&[Some(1)], &[entry(1, 1), again], &[(Drift::Duplicate, 1, Some(9))]);
}

// 50
#[test]
fn one_stale_copy_and_one_unknown_row_are_two_differences() {
    let copy = Entry { number: 7, ..entry(1, 1) };
    check(
        &[Some(2)],
        &[entry(1, 2), copy, entry(5, 1)],
        &[(Drift::Duplicate, 1, Some(7)), (Drift::Unknown, 5, Some(5))],
    );
}
