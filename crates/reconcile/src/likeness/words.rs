//! The words that need a rule of their own: negations, words that say nothing, words that tell statements apart.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// How a word denies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Denial {
    /// By itself.
    Each,
    /// By itself, and for all of its echoes.
    Head,
    /// Only where no head does: `nunca` in `no come nunca`.
    Echo,
}

const EACH: &str = "not never none nobody nothing nowhere without neither dont doesnt didnt isnt arent wasnt \
    werent couldnt shouldnt hasnt havent nicht kein keine keinen keinem keiner keines nie niemals niemand \
    nichts ohne weder sans ohne sin senza sem без нет";
const HEADS: &str = "no non ne n nao não не";
const ECHOES: &str = "pas jamais rien aucun aucune guère nunca nada nadie ningún ninguno ninguna ningun jamás jamas \
    tampoco niente nessuno nessuna никогда никто ничего";

/// Words that may be there or not. What someone may, must or will do is none of them.
const EMPTY: &str = "a an the this that these those is are am be been being was were it its he she they them his her \
    their him i me my mine we us our you your yours do does did done s has have having had of in on at to for by with \
    as and or also so just very really any some all each every everybody everyone anybody anyone user about into \
    there here who which nor true always \
    der die das den dem des ein eine einen einem einer eines ist sind war waren er sie es ihr ihre sein seine und im immer \
    am um zu zum zur von mit für auf bei nutzer hat haben \
    le la les l un une du de des d est sont il elle ils elles son sa ses et à au aux en dans pour avec toujours \
    el los las lo del al es son está están él ella ellos su sus y con por para usuario que siempre \
    gli di della dello è sono e ha a sempre всегда";

/// Words of which one is never meant where another is said.
const FIXED: &str = "two three four five six seven eight nine ten eleven twelve twenty thirty fifty hundred thousand \
    million once twice half second third zwei drei vier fünf sechs sieben acht neun zehn deux trois quatre cinq sept \
    huit neuf dix dos tres cuatro cinco seis siete ocho nueve diez \
    monday tuesday wednesday thursday friday saturday sunday weekday weekend montag dienstag mittwoch donnerstag \
    freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes \
    sábado domingo january february march april may june july august september october november december januar \
    februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août septembre octobre \
    novembre décembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre \
    morning noon afternoon evening midnight morgen mittag abend matin soir today tomorrow yesterday former formerly previously future before after \
    until since more less most least up down off out first last next sometimes often rarely seldom only except";

/// Each line holds words of which one is never meant where another of them is said.
const GROUPS: &str = "\
minute hour day night week month quarter year
daily nightly weekly monthly quarterly yearly annual annually
open opened closed close shut
enabled disabled
locked unlocked
married unmarried
available unavailable
safe unsafe
stable unstable
known unknown
able unable
likely unlikely
employed unemployed
allowed forbidden prohibited
required optional
increased decreased reduced
approved rejected accepted declined
above below over under
left right
inside outside
early earlier late later
old new young
light dark
hot cold warm cool
high low higher lower
big small large tiny
long short
good bad best worst better worse
love hate like dislike
start stop begin end finish
win lose
buy sell
read write delete store
public private
prod production staging test dev
internal external
north south east west
red green blue black white yellow
mother father sister brother daughter son wife husband
mag hasst liebt
aime déteste";

static EACH_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| EACH.split_whitespace().collect());
static HEAD_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| HEADS.split_whitespace().collect());
static ECHO_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| ECHOES.split_whitespace().collect());
static EMPTY_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| EMPTY.split_whitespace().collect());
static FIXED_SET: LazyLock<HashSet<String>> = LazyLock::new(|| FIXED.split_whitespace().map(stem).collect());

static GROUP_OF: LazyLock<HashMap<String, usize>> = LazyLock::new(|| {
    let lines = GROUPS.lines().enumerate();
    lines.flat_map(|(group, line)| line.split_whitespace().map(move |word| (stem(word), group))).collect()
});

/// How a word denies, where it does.
pub(super) fn denial(word: &str) -> Option<Denial> {
    match () {
        () if EACH_SET.contains(word) => Some(Denial::Each),
        () if HEAD_SET.contains(word) => Some(Denial::Head),
        () if ECHO_SET.contains(word) => Some(Denial::Echo),
        () => None,
    }
}

/// The verb that a word denies by its ending: what one can and cannot do is the same. `n't` denies any.
pub(super) fn denied_verb(word: &str) -> Option<&str> {
    match word {
        "cannot" | "can't" | "cant" => Some("can"),
        "won't" | "wont" => Some("will"),
        "shan't" | "shant" => Some("shall"),
        _ => word.strip_suffix("n't"),
    }
}

/// Whether a statement is the same without the word.
pub(super) fn says_nothing(word: &str) -> bool {
    EMPTY_SET.contains(word)
}

/// Whether a word, by its stem, makes another statement.
pub(super) fn is_fixed(stem: &str) -> bool {
    FIXED_SET.contains(stem) || stem.chars().any(is_unit)
}

/// The group of words that exclude each other that a word, by its stem, is one of.
pub(super) fn group(stem: &str) -> Option<usize> {
    GROUP_OF.get(stem).copied()
}

/// A sign for money or a share: `5 €` are not `5 $`.
pub(super) fn is_unit(c: char) -> bool {
    matches!(c, '%' | '$' | '\u{20ac}' | '\u{a3}' | '\u{a5}' | '\u{b0}')
}

/// French words before an apostrophe.
pub(super) fn is_elided(word: &str) -> bool {
    matches!(word, "l" | "d" | "j" | "c" | "s" | "m" | "t" | "qu")
}

/// Whether a Chinese character denies, and is not the beginning of a word that does not.
pub(super) fn denies_by_sign(sign: &str, next: &str) -> bool {
    match sign {
        "不" => !matches!(next, "过" | "過" | "仅" | "僅" | "但" | "同"),
        "非" => !matches!(next, "常" | "洲"),
        "未" => !matches!(next, "来" | "來"),
        "无" | "無" => !matches!(next, "论" | "論" | "线" | "線"),
        "没" | "沒" => true,
        _ => false,
    }
}

/// Characters that may be there or not.
pub(super) fn is_empty_sign(sign: &str) -> bool {
    matches!(sign, "的" | "了" | "の" | "は")
}

/// A word without its ending: plural, third person, `-ing`, `-ed`. A number without its own.
pub(super) fn stem(word: &str) -> String {
    if let Some(digits) = word.strip_suffix("th").or_else(|| word.strip_suffix("rd"))
        && digits.bytes().all(|byte| byte.is_ascii_digit())
    {
        return digits.to_owned();
    }
    if word.len() < 4 || !word.chars().all(char::is_alphabetic) {
        return word.to_owned();
    }
    let singular = match word {
        _ if word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") => word.to_owned(),
        _ if word.ends_with("ies") && word.len() > 4 => format!("{}y", &word[..word.len() - 3]),
        _ => word.strip_suffix('s').unwrap_or(word).to_owned(),
    };
    let base = ["ing", "ed"].iter().find_map(|end| singular.strip_suffix(end).filter(|base| base.len() > 2));
    let base = base.map_or(singular.as_str(), undoubled);
    base.strip_suffix('e').filter(|base| base.len() > 2).unwrap_or(base).to_owned()
}

/// `hopp` of `hopping` is `hop`.
fn undoubled(base: &str) -> &str {
    let mut ends = base.char_indices().rev();
    match (ends.next(), ends.next()) {
        (Some((at, last)), Some((_, before)))
            if last == before && base.len() > 3 && last != 's' && last != 'l' =>
        {
            &base[..at]
        }
        (_, _) => base,
    }
}
