//! A row while it is audited, what was found of it, and who is near whom.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use fact::{LegacyOrigin, Scope, Text};

use super::{Action, Group, GroupKind, GroupRow, Uncertainty};
use crate::adoption::row::{AuditRow, Flag};
use crate::likeness::{Gist, Likeness, Stated, kin};

/// A row while it is audited.
pub(super) struct Item<'a> {
    pub(super) row: &'a AuditRow,
    pub(super) flags: Vec<Flag>,
    pub(super) gist: Gist,
    /// Its text however it was spaced.
    pub(super) folded: String,
    /// Where it stands, in the order of its source.
    pub(super) spot: Spot<'a>,
}

/// A place of a source: `notes.md#Tea:12` is the line 12 of `notes.md#Tea`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot<'a> {
    pub(super) part: &'a str,
    pub(super) line: Option<u32>,
}

/// Rows that make a group.
pub(super) struct Finding {
    pub(super) kind: GroupKind,
    /// Their places among the items; the keeper first where there is one.
    pub(super) members: Vec<usize>,
    pub(super) action: Action,
    pub(super) uncertainty: Uncertainty,
    pub(super) why: String,
    pub(super) safe: bool,
    pub(super) whole: Option<Text>,
}

/// Which facts are alike. Those with one gist are looked at once, as the first of them.
pub(super) struct Kinship {
    first: Vec<usize>,
    of_first: BTreeMap<usize, Vec<usize>>,
    near: BTreeMap<usize, BTreeSet<usize>>,
    /// First ones that deny each other.
    pub(super) opposite: Vec<(usize, usize)>,
    pub(super) words_only: bool,
}

impl<'a> Item<'a> {
    pub(super) fn of(row: &'a AuditRow) -> Self {
        let text = row.legacy.text.as_str();
        Self {
            row,
            flags: row.flags(),
            gist: Gist::of_text(text),
            folded: fact::folded(text),
            spot: Spot::of(row.legacy.place.as_str()),
        }
    }

    pub(super) fn is_episode(&self) -> bool {
        self.row.legacy.origin == LegacyOrigin::Episode
    }

    pub(super) fn is_bulk(&self) -> bool {
        self.flags.iter().all(|flag| flag.allows_bulk())
    }

    pub(super) fn is_of_clear_provenance(&self) -> bool {
        !self.flags.iter().any(|flag| flag.is_of_provenance())
    }

    /// The order in which people read rows: by source and place.
    fn reading_order(&self) -> impl Ord + use<'_> {
        (self.row.legacy.source, &self.spot, self.row.row)
    }
}

impl<'a> Spot<'a> {
    fn of(place: &'a str) -> Self {
        let line = place.rsplit_once(':').and_then(|(part, line)| Some((part, line.parse().ok()?)));
        line.map_or(Self { part: place, line: None }, |(part, line)| Self { part, line: Some(line) })
    }
}

impl Finding {
    pub(super) fn group(self, number: usize, items: &[Item<'_>]) -> Group {
        let Self { kind, mut members, action, uncertainty, why, safe, whole } = self;
        let ordered = usize::from(kind.has_keeper());
        if kind != GroupKind::Fragments {
            members[ordered..]
                .sort_by(|one, other| items[*one].reading_order().cmp(&items[*other].reading_order()));
        }
        let rows = members.iter().enumerate().map(|(place, member)| {
            let Item { row, flags, .. } = &items[*member];
            GroupRow {
                row: row.row,
                digest: row.digest.clone(),
                scope: row.scope.clone(),
                legacy: row.legacy.clone(),
                keep: kind.has_keeper() && place == 0,
                flags: flags.clone(),
                earlier: row.earlier.clone(),
                known: row.known,
            }
        });
        Group { id: format!("g{number}"), kind, action, uncertainty, why, safe, whole, rows: rows.collect() }
    }
}

impl Kinship {
    /// Of the facts among `left`, within each scope.
    pub(super) fn of(items: &[Item<'_>], left: &BTreeSet<usize>) -> Self {
        let mut kinship = Self {
            first: (0..items.len()).collect(),
            of_first: BTreeMap::new(),
            near: BTreeMap::new(),
            opposite: Vec::new(),
            words_only: false,
        };
        let mut scopes: BTreeMap<&Scope, Vec<usize>> = BTreeMap::new();
        let mut firsts: HashMap<(&Scope, String), usize> = HashMap::new();
        for place in left.iter().copied().filter(|place| !items[*place].is_episode()) {
            let scope = &items[place].row.scope;
            let first = *firsts.entry((scope, items[place].gist.signature())).or_insert(place);
            if first == place {
                scopes.entry(scope).or_default().push(place);
            }
            kinship.first[place] = first;
            kinship.of_first.entry(first).or_default().push(place);
        }
        scopes.values().for_each(|firsts| kinship.compare(items, firsts));
        kinship
    }

    fn compare(&mut self, items: &[Item<'_>], firsts: &[usize]) {
        let stated = firsts.iter().enumerate().map(|(owner, place)| Stated {
            owner,
            gist: items[*place].gist.clone(),
            meaning: items[*place].row.meaning.clone(),
        });
        let found = kin(&stated.collect::<Vec<_>>());
        self.words_only |= found.words_only;
        for ((one, other), like) in found.pairs {
            let (one, other) = (firsts[one], firsts[other]);
            match like {
                Likeness::Near => {
                    self.near.entry(one).or_default().insert(other);
                    self.near.entry(other).or_default().insert(one);
                }
                Likeness::Opposite => self.opposite.push((one, other)),
            }
        }
    }

    /// The first ones, each for all rows with its gist.
    pub(super) fn firsts(&self) -> impl Iterator<Item = usize> {
        self.of_first.keys().copied()
    }

    /// All that are compared, in order.
    pub(super) fn all(&self) -> BTreeSet<usize> {
        self.of_first.values().flatten().copied().collect()
    }

    /// All rows with the gist of a row, itself too.
    pub(super) fn same(&self, place: usize) -> &[usize] {
        self.of_first.get(&self.first[place]).map_or(&[], Vec::as_slice)
    }

    /// All rows that are near a row, itself too.
    pub(super) fn near(&self, place: usize) -> impl Iterator<Item = usize> {
        let others = self.near.get(&self.first[place]).into_iter().flatten();
        self.same(place).iter().chain(others.flat_map(|other| self.same(*other))).copied()
    }

    /// Whether two rows are near each other.
    pub(super) fn are_near(&self, one: usize, other: usize) -> bool {
        let (one, other) = (self.first[one], self.first[other]);
        one == other || self.near.get(&one).is_some_and(|near| near.contains(&other))
    }
}
