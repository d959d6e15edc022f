//! The operator's own list of secret values.

use std::fmt;

use super::{Detector, Found};
use crate::BadInput;

/// Shorter values would be found in ordinary words.
const VALUE_CHARS_MIN: usize = 6;
/// Values of one list.
const VALUES_MAX: usize = 10_000;

/// Values that are never kept. `Debug` shows how many they are.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SecretValues(Vec<String>);

impl SecretValues {
    /// Reads a list of one value a line; blank lines count for nothing. A value has at least 6 characters, and there are
    /// at most 10,000. No error repeats a value: it names its line.
    pub fn parse(list: &str) -> Result<Self, BadInput> {
        let mut values = Vec::new();
        for (place, line) in list.lines().enumerate() {
            let value = line.trim();
            if value.is_empty() {
                continue;
            }
            if value.chars().count() < VALUE_CHARS_MIN {
                let problem = format!("line {} has fewer than {VALUE_CHARS_MIN} characters", place + 1);
                return Err(BadInput::new("secretValues", problem));
            }
            values.push(value.to_owned());
            if value.contains(' ') {
                // As a form has it.
                values.push(value.replace(' ', "+"));
            }
        }
        if values.len() > VALUES_MAX {
            return Err(BadInput::new("secretValues", format!("has more than {VALUES_MAX} values")));
        }
        Ok(Self(values))
    }

    pub(super) fn find(&self, text: &str) -> Vec<Found> {
        let places = |value: &String| -> Vec<Found> {
            let found = |(start, found): (usize, &str)| Found {
                start,
                end: start + found.len(),
                detector: Detector::ListedValue,
            };
            text.match_indices(value.as_str()).map(found).collect()
        };
        self.0.iter().flat_map(places).collect()
    }
}

impl fmt::Debug for SecretValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretValues({})", self.0.len())
    }
}
