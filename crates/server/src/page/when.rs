//! Times as people say them, with the exact one beside.

use std::fmt::{self, Display, Formatter};

use askama::filters::HtmlSafe;
use truthkeeper::Timestamp;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const MONTH: i64 = 30 * DAY;
const YEAR: i64 = 365 * DAY;

/// A time, as seen from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct When {
    exact: String,
    told: String,
}

impl When {
    pub(crate) fn of(time: Timestamp, now: Timestamp) -> Self {
        Self { exact: time.to_string(), told: told(time, now) }
    }
}

impl HtmlSafe for When {}

impl Display for When {
    /// It holds digits and words of ours alone.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { exact, told } = self;
        let shown = exact.get(..16).map_or_else(|| exact.clone(), |exact| exact.replace('T', " "));
        write!(
            f,
            "<time datetime=\"{exact}\" title=\"{exact}\">{told} <span class=\"exact\">{shown} UTC</span></time>"
        )
    }
}

fn told(time: Timestamp, now: Timestamp) -> String {
    let seconds = (now.micros() - time.micros()) / 1_000_000;
    let ahead = seconds < 0;
    let seconds = seconds.abs();
    let steps = [(YEAR, "year"), (MONTH, "month"), (DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")];
    let Some((length, unit)) = steps.into_iter().find(|(length, _)| seconds >= *length) else {
        return if ahead { "in a moment" } else { "just now" }.to_owned();
    };
    let count = seconds / length;
    let plural = if count == 1 { "" } else { "s" };
    match ahead {
        true => format!("in {count} {unit}{plural}"),
        false => format!("{count} {unit}{plural} ago"),
    }
}

#[cfg(test)]
mod tests {
    use truthkeeper::Timestamp;

    use super::{DAY, told};

    #[test]
    fn a_time_is_told_as_people_do() {
        let now = 1_790_000_000;
        for (seconds, words) in [
            (0, "just now"),
            (59, "just now"),
            (60, "1 minute ago"),
            (7_200, "2 hours ago"),
            (3 * DAY, "3 days ago"),
            (400 * DAY, "1 year ago"),
            (-20, "in a moment"),
            (-3 * DAY, "in 3 days"),
        ] {
            let at = |seconds: i64| Timestamp::from_micros(seconds * 1_000_000);
            assert_eq!(told(at(now - seconds), at(now)), words);
        }
    }
}
