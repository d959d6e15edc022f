//! The way out: each row goes to the caller, who may break off.

use std::ops::ControlFlow;

use fact::{BadInput, Legacy, LegacySource, Text};

use crate::{Item, Skip, SourceError};

/// Why reading ended before its end.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The caller broke off.
    Stopped,
    /// The source cannot be read.
    Failed(SourceError),
}

impl From<SourceError> for Halt {
    fn from(error: SourceError) -> Self {
        Self::Failed(error)
    }
}

pub(crate) type Walk = Result<(), Halt>;

/// Where rows go, and of which source they are.
pub(crate) struct Out<'a> {
    pub(crate) source: LegacySource,
    each: &'a mut dyn FnMut(Item) -> ControlFlow<()>,
}

impl<'a> Out<'a> {
    pub(crate) fn new(source: LegacySource, each: &'a mut dyn FnMut(Item) -> ControlFlow<()>) -> Self {
        Self { source, each }
    }

    /// Gives a row, or the reason why it is refused.
    pub(crate) fn row(&mut self, place: Text, row: Result<Legacy, BadInput>) -> Walk {
        match row {
            Ok(row) => self.give(Item::Row(row)),
            Err(why) => self.refuse(place, why),
        }
    }

    pub(crate) fn refuse(&mut self, place: Text, why: BadInput) -> Walk {
        self.give(Item::Refused { place, why })
    }

    pub(crate) fn skip(&mut self, place: Text, why: Skip) -> Walk {
        self.give(Item::Skipped { place, why })
    }

    fn give(&mut self, item: Item) -> Walk {
        match (self.each)(item) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Halt::Stopped),
        }
    }
}
