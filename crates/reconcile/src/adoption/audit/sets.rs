//! Rows that belong together because each is tied to another.

use std::collections::BTreeMap;

/// Disjoint sets of numbers.
pub(super) struct Sets {
    parents: Vec<usize>,
}

impl Sets {
    /// Each number by itself.
    pub(super) fn new(size: usize) -> Self {
        Self { parents: (0..size).collect() }
    }

    /// Makes one set of all that these are in.
    pub(super) fn tie(&mut self, members: impl IntoIterator<Item = usize>) {
        let mut members = members.into_iter();
        let Some(first) = members.next() else { return };
        for member in members {
            let (one, other) = (self.root(first), self.root(member));
            self.parents[one.max(other)] = one.min(other);
        }
    }

    /// The least number of its set.
    pub(super) fn root(&mut self, mut member: usize) -> usize {
        while self.parents[member] != member {
            self.parents[member] = self.parents[self.parents[member]];
            member = self.parents[member];
        }
        member
    }

    /// The sets of these, by their roots.
    pub(super) fn of(&mut self, members: impl IntoIterator<Item = usize>) -> BTreeMap<usize, Vec<usize>> {
        let mut sets: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for member in members {
            sets.entry(self.root(member)).or_default().push(member);
        }
        sets
    }
}
