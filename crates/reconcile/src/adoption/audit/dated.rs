//! Rows that ended, and rows that say `today` and are old.

use std::collections::{BTreeMap, BTreeSet};

use fact::Timestamp;

use super::item::{Finding, Item};
use super::{Action, GroupKind, Uncertainty};

/// From when a word such as `today` is no longer meant, in days.
const FRESH_DAYS: u32 = 30;
/// Words and phrases that mean the time at which they were written.
const TIME_WORDS: &str = "today|tonight|tomorrow|yesterday|currently|right now|for now|as of now|at the moment|\
    these days|nowadays|soon|recently|this morning|this afternoon|this evening|this week|this weekend|this month|\
    this quarter|this year|next week|next weekend|next month|next quarter|next year|last week|last month|last year|\
    next monday|next tuesday|next wednesday|next thursday|next friday|next saturday|next sunday|\
    heute|gestern|aktuell|derzeit|momentan|zurzeit|diese woche|diesen monat|dieses jahr|nächste woche|\
    nächsten montag|nächsten dienstag|nächsten mittwoch|nächsten donnerstag|nächsten freitag|nächsten samstag|\
    nächsten sonntag|nächsten monat|nächstes jahr|letzte woche|aujourd hui|demain|hier soir|actuellement|\
    cette semaine|ce mois|la semaine prochaine|hoy|ayer|actualmente|ahora mismo|esta semana|la próxima semana";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    Ended,
    TimeWorded,
}

/// One group for each scope and reason.
pub(super) fn find(items: &[Item<'_>], left: &BTreeSet<usize>, now: Timestamp) -> Vec<Finding> {
    let phrases: BTreeSet<&str> = TIME_WORDS.split('|').collect();
    let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for place in left.iter().copied().filter(|place| !items[*place].is_episode()) {
        if let Some(reason) = reason(&items[place], &phrases, now) {
            groups.entry((reason, &items[place].row.scope)).or_default().push(place);
        }
    }
    let finding = |((reason, _), members)| Finding {
        kind: GroupKind::Lapsed,
        members,
        action: Action::RejectOrRenew,
        uncertainty: reason_uncertainty(reason),
        why: why(reason).to_owned(),
        safe: false,
        whole: None,
    };
    groups.into_iter().map(finding).collect()
}

fn reason(item: &Item<'_>, phrases: &BTreeSet<&str>, now: Timestamp) -> Option<Reason> {
    let legacy = &item.row.legacy;
    let is_old = || legacy.written_at.is_none_or(|at| at.plus_days(FRESH_DAYS) <= now);
    match legacy.valid_until {
        Some(until) if until <= now => Some(Reason::Ended),
        Some(_) | None => (is_old() && is_time_worded(&item.folded, phrases)).then_some(Reason::TimeWorded),
    }
}

fn is_time_worded(text: &str, phrases: &BTreeSet<&str>) -> bool {
    let text = text.to_lowercase();
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let longest = 1..=3;
    longest
        .into_iter()
        .any(|size| words.windows(size).any(|window| phrases.contains(window.join(" ").as_str())))
}

fn reason_uncertainty(reason: Reason) -> Uncertainty {
    match reason {
        Reason::Ended => Uncertainty::Low,
        Reason::TimeWorded => Uncertainty::Medium,
    }
}

fn why(reason: Reason) -> &'static str {
    match reason {
        Reason::Ended => {
            "their time is over; what is approved without a later `until` becomes a fact that has ended already"
        }
        Reason::TimeWorded => {
            "they speak of a time such as today, and were written more than 30 days ago or nobody knows when"
        }
    }
}
