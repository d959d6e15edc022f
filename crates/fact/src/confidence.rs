//! How sure the author of a statement is, as a decimal that no float comparison touches.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::BadInput;

const MILLIONTHS: u32 = 1_000_000;
const PROBLEM: &str = "must be a decimal number from 0 to 1";

/// A decimal from 0 to 1 in whole millionths, so that 0.9 is the same line however it was computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Confidence(u32);

impl Confidence {
    /// Certain: what a draft means that does not say.
    pub const FULL: Self = Self(MILLIONTHS);
    /// The line under which a machine's update waits for the owner.
    pub const DOUBT_BELOW: Self = Self(900_000);

    /// Reads the digits of a decimal (`0.9`, `.90`, `9e-1`), rounded to the nearest millionth.
    pub fn parse(text: &str) -> Result<Self, BadInput> {
        let bad = || BadInput::new("confidence", PROBLEM);
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().map_err(|_| bad())?),
            None => (text, 0),
        };
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: Vec<u32> = whole
            .chars()
            .chain(part.chars())
            .map(|c| c.to_digit(10))
            .collect::<Option<_>>()
            .ok_or_else(bad)?;
        if digits.is_empty() || exponent.unsigned_abs() > 400 || digits.len() > 400 {
            return Err(bad());
        }
        let point = i32::try_from(whole.len()).map_err(|_| bad())? + exponent;
        Self::from_digits(&digits, point).ok_or_else(bad)
    }

    /// The value of `0.d1d2d3… × 10^point`, or none above 1.
    fn from_digits(digits: &[u32], point: i32) -> Option<Self> {
        let digit = |place: i32| -> u64 {
            usize::try_from(place).ok().and_then(|i| digits.get(i)).copied().map_or(0, u64::from)
        };
        let mut millionths = 0_u64;
        for place in point.min(0)..point + 6 {
            millionths = millionths.checked_mul(10)?.checked_add(digit(place))?;
        }
        if digit(point + 6) >= 5 {
            millionths += 1;
        }
        let value = u32::try_from(millionths).ok()?;
        let above_one = value == MILLIONTHS && digits_after(digits, point + 6) && digit(point + 6) < 5;
        (value <= MILLIONTHS && !above_one).then_some(Self(value))
    }

    /// Whole millionths.
    pub fn millionths(self) -> u32 {
        self.0
    }
}

fn digits_after(digits: &[u32], place: i32) -> bool {
    usize::try_from(place).ok().and_then(|i| digits.get(i..)).is_some_and(|rest| rest.iter().any(|d| *d > 0))
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{}.{:06}", self.0 / MILLIONTHS, self.0 % MILLIONTHS);
        f.write_str(digits.trim_end_matches('0').trim_end_matches('.'))
    }
}
