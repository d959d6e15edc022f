//! Leaving an index alone that cannot be reached: one call a pause, whoever asks.

use std::sync::{Mutex, PoisonError};

use fact::Timestamp;

use crate::Settings;

/// The pause of one process.
#[derive(Default)]
pub(crate) struct Pause(Mutex<State>);

#[derive(Clone, Copy, Default)]
struct State {
    /// Pauses in a row.
    pauses: u32,
    until: Option<Timestamp>,
}

impl Pause {
    /// Its end, where there is one at `now`.
    pub(crate) fn until(&self, now: Timestamp) -> Option<Timestamp> {
        self.with(|state| state.until.filter(|until| *until > now))
    }

    /// Its end, where there is one at `now`. Who finds it over looks alone: for all others the pause goes on.
    pub(crate) fn enter(&self, now: Timestamp, settings: &Settings) -> Option<Timestamp> {
        self.with(|state| match state.until {
            Some(until) if until > now => Some(until),
            Some(_) => {
                state.until = Some(settings.pause_end(state.pauses, now));
                None
            }
            None => None,
        })
    }

    /// Begins, or goes on; gives its end.
    pub(crate) fn begin(&self, now: Timestamp, settings: &Settings) -> Timestamp {
        self.with(|state| {
            state.pauses += 1;
            let until = settings.pause_end(state.pauses, now);
            state.until = Some(until);
            until
        })
    }

    /// Ends: the index answered, or somebody wants to know.
    pub(crate) fn end(&self) {
        self.with(|state| *state = State::default());
    }

    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
