//! Rows that may contradict each other, or what the ledger holds.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::item::{Finding, Item, Kinship};
use super::sets::Sets;
use super::{Action, GroupKind, Uncertainty};
use crate::adoption::row::Flag;

/// Different answers to one question: more are a list, such as of places visited, and contradict nothing.
const ANSWERS_MAX: usize = 4;
/// Words of a value: what is longer says something new of its subject, and not the same thing otherwise.
const VALUE_WORDS_MAX: usize = 2;
/// Words of a subject that has one value: `the office` has many, `the office address` one.
const SUBJECT_WORDS_MIN: usize = 2;
/// What stands between a subject and its value.
const COPULAS: [&str; 8] = [" is ", " are ", " ist ", " sind ", " est ", " es ", ": ", " = "];
/// What a subject may begin with or not.
const ARTICLES: [&str; 5] = ["the ", "my ", "our ", "der ", "die "];
/// Those that make a subject of any word before them.
const MARKS: [&str; 2] = [": ", " = "];

/// Why rows are looked at together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    Denial,
    Key,
    Word,
    Value,
    Contested,
    Ledger,
}

/// Answers to questions, by scope and question, and what was answered.
type Answers<'a> = HashMap<(&'a fact::Scope, String), BTreeMap<String, Vec<usize>>>;

/// Each set of rows that are tied by a reason, with what is near them: otherwise it could be approved unseen.
pub(super) fn find(items: &[Item<'_>], kinship: &Kinship) -> Vec<Finding> {
    let mut sets = Sets::new(items.len());
    let mut reasons: BTreeMap<usize, BTreeSet<Reason>> = BTreeMap::new();
    let ties = denied(kinship)
        .chain(keyed(items, kinship))
        .chain(answered(items, kinship))
        .chain(contested(items))
        .chain(against_ledger(items));
    for (reason, tied) in ties {
        let near: Vec<usize> = tied.iter().flat_map(|place| kinship.near(*place)).collect();
        let all = [tied, near].concat();
        all.iter().for_each(|place| {
            reasons.entry(*place).or_default().insert(reason);
        });
        sets.tie(all);
    }
    let found = sets.of(reasons.keys().copied().collect::<Vec<_>>());
    let finding = |members: Vec<usize>| {
        let reasons: BTreeSet<Reason> = members.iter().flat_map(|member| &reasons[member]).copied().collect();
        let why: Vec<&str> = reasons.into_iter().map(Reason::words).collect();
        Finding {
            kind: GroupKind::PossibleContradictions,
            members,
            action: Action::DecideEach,
            uncertainty: Uncertainty::High,
            why: why.join("; "),
            safe: false,
            whole: None,
        }
    };
    found.into_values().map(finding).collect()
}

fn denied(kinship: &Kinship) -> impl Iterator<Item = (Reason, Vec<usize>)> {
    kinship.opposite.iter().map(|(one, other)| (Reason::Denial, vec![*one, *other]))
}

fn contested(items: &[Item<'_>]) -> impl Iterator<Item = (Reason, Vec<usize>)> {
    let is_contested = |item: &Item<'_>| {
        item.flags.contains(&Flag::Contested) && !item.is_episode() && item.is_of_clear_provenance()
    };
    let places = items.iter().enumerate().filter(move |(_, item)| is_contested(item));
    places.map(|(place, _)| (Reason::Contested, vec![place]))
}

/// Rows that a current fact contradicts: nothing that is true is contradicted unseen.
fn against_ledger<'a>(items: &'a [Item<'_>]) -> impl Iterator<Item = (Reason, Vec<usize>)> + 'a {
    let places = items.iter().enumerate().filter(|(_, item)| {
        item.flags.contains(&Flag::AgainstLedger) && !item.is_episode() && item.is_of_clear_provenance()
    });
    places.map(|(place, _)| (Reason::Ledger, vec![place]))
}

/// Rows of one key that do not all say the same.
fn keyed(items: &[Item<'_>], kinship: &Kinship) -> impl Iterator<Item = (Reason, Vec<usize>)> {
    let mut keys: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for place in kinship.all() {
        let (row, legacy) = (items[place].row, &items[place].row.legacy);
        if let Some(key) = &legacy.key {
            keys.entry((&row.scope, &legacy.kind, key)).or_default().push(place);
        }
    }
    let tied =
        keys.into_values().filter(|places| places.iter().any(|place| !kinship.are_near(places[0], *place)));
    tied.map(|places| (Reason::Key, places)).collect::<Vec<_>>().into_iter()
}

/// Rows that answer one question in different ways.
fn answered(items: &[Item<'_>], kinship: &Kinship) -> impl Iterator<Item = (Reason, Vec<usize>)> {
    let (mut words, mut values) = (Answers::new(), Answers::new());
    for place in kinship.firsts() {
        let Item { row, gist, folded, .. } = &items[place];
        for gap in gist.gaps() {
            note(&mut words, (&row.scope, gap.rest), gap.word, place);
        }
        if let Some((subject, value)) = valued(folded) {
            note(&mut values, (&row.scope, subject), value, place);
        }
    }
    let tied = |reason, answers: Answers<'_>| {
        let several = answers.into_values().filter(|given| (2..=ANSWERS_MAX).contains(&given.len()));
        let places = several.map(|given| given.into_values().flatten().collect::<Vec<_>>());
        let apart = places.filter(|places| places.iter().any(|place| !kinship.are_near(places[0], *place)));
        let mut tied: Vec<_> = apart.map(|places| (reason, places)).collect();
        tied.sort();
        tied
    };
    tied(Reason::Word, words).into_iter().chain(tied(Reason::Value, values))
}

fn note<'a>(answers: &mut Answers<'a>, question: (&'a fact::Scope, String), answer: String, place: usize) {
    answers.entry(question).or_default().entry(answer).or_default().push(place);
}

/// A subject that has one value, and the value: `favourite colour` and `green`.
fn valued(text: &str) -> Option<(String, String)> {
    let text = text.trim_end_matches(['.', '!']).to_lowercase();
    let splits = COPULAS.iter().filter_map(|mark| Some((text.find(mark)?, *mark)));
    let (at, mark) = splits.min()?;
    let (subject, value) = (&text[..at], &text[at + mark.len()..]);
    let subject = ARTICLES.iter().find_map(|article| subject.strip_prefix(article)).unwrap_or(subject);
    let (words, least) =
        (subject.split(' ').count(), if MARKS.contains(&mark) { 1 } else { SUBJECT_WORDS_MIN });
    let fits = words >= least && !value.is_empty() && value.split(' ').count() <= VALUE_WORDS_MAX;
    fits.then(|| (format!("{mark}{subject}"), value.to_owned()))
}

impl Reason {
    fn words(self) -> &'static str {
        match self {
            Self::Denial => "one denies what another says",
            Self::Key => "they have one key and different texts",
            Self::Word => "they differ in a number, a name or a word that excludes the other",
            Self::Value => "they give one subject different values",
            Self::Ledger => "a fact that is current says otherwise",
            Self::Contested => "the ledger holds the same as a side of an open conflict",
        }
    }
}
