//! Instants: UTC microseconds in an integer. RFC 3339 comes in, milliseconds and `Z` go out.

use std::fmt;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};

use crate::BadInput;

/// Microseconds of a day.
pub const MICROS_PER_DAY: i64 = 86_400_000_000;

/// An instant in microseconds since 1970-01-01T00:00:00Z. Stored and compared as that integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Wraps microseconds since the epoch.
    pub fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Reads RFC 3339; a timestamp without a zone is refused. Digits after the microsecond are dropped.
    pub fn parse(field: &'static str, text: &str) -> Result<Self, BadInput> {
        let parsed = DateTime::parse_from_rfc3339(text.trim()).map_err(|_| {
            BadInput::new(field, "must be a time with its zone, such as 2026-11-01T10:00:00Z")
        })?;
        Ok(Self(parsed.timestamp_micros()))
    }

    /// Reads a bound: with fewer than six digits after the second it covers its whole unit,
    /// so that asking for a shown millisecond includes what happened within it.
    pub fn parse_bound(field: &'static str, text: &str) -> Result<Self, BadInput> {
        let start = Self::parse(field, text)?;
        let digits = text
            .trim()
            .split_once('.')
            .map_or(0, |(_, rest)| rest.chars().take_while(char::is_ascii_digit).count());
        let unit = (digits..6).fold(1_i64, |unit, _| unit * 10);
        Ok(Self(start.0 + unit - 1))
    }

    /// RFC 3339 with all six digits, for what must be read back as the same instant.
    pub fn exact(self) -> String {
        DateTime::<Utc>::from_timestamp_micros(self.0)
            .map_or_else(|| self.to_string(), |time| time.to_rfc3339_opts(SecondsFormat::Micros, true))
    }

    /// Microseconds since the epoch.
    pub fn micros(self) -> i64 {
        self.0
    }

    /// The next instant that can be told apart.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// The day that it lies in, counted in UTC from 1970.
    pub fn day(self) -> i64 {
        self.0.div_euclid(MICROS_PER_DAY)
    }

    /// When a day began.
    pub fn begin_of_day(day: i64) -> Self {
        Self(day.saturating_mul(MICROS_PER_DAY))
    }

    /// The instant `days` later.
    #[must_use]
    pub fn plus_days(self, days: u32) -> Self {
        Self(self.0.saturating_add(i64::from(days) * MICROS_PER_DAY))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match DateTime::<Utc>::from_timestamp_micros(self.0) {
            Some(time) => f.write_str(&time.to_rfc3339_opts(SecondsFormat::Millis, true)),
            None => write!(f, "{}us", self.0),
        }
    }
}
