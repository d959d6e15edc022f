//! Whether a licence expression can be met with the licences that we accept.

/// `OR` needs one side, `AND` both, `WITH` only grants more, and `/` is the old way to write `OR`.
pub(super) fn is_met(expression: &str, accepted: &[String]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (met, rest) = either(&words, accepted);
    met && rest.is_empty()
}

fn either<'a, 'b>(words: &'a [&'b str], accepted: &[String]) -> (bool, &'a [&'b str]) {
    let (mut met, mut rest) = both(words, accepted);
    while let ["OR", more @ ..] = rest {
        let (other, left) = both(more, accepted);
        (met, rest) = (met || other, left);
    }
    (met, rest)
}

fn both<'a, 'b>(words: &'a [&'b str], accepted: &[String]) -> (bool, &'a [&'b str]) {
    let (mut met, mut rest) = one(words, accepted);
    while let ["AND", more @ ..] = rest {
        let (other, left) = one(more, accepted);
        (met, rest) = (met && other, left);
    }
    (met, rest)
}

fn one<'a, 'b>(words: &'a [&'b str], accepted: &[String]) -> (bool, &'a [&'b str]) {
    match words {
        ["(", more @ ..] => match either(more, accepted) {
            (met, [")", rest @ ..]) => (met, rest),
            (_, rest) => (false, rest),
        },
        [name, "WITH", _, rest @ ..] | [name, rest @ ..] => (accepted.iter().any(|one| one == name), rest),
        [] => (false, words),
    }
}

#[test]
fn expressions_are_read_as_they_are_meant() {
    let accepted = ["MIT".to_owned(), "Apache-2.0".to_owned(), "ISC".to_owned()];
    for (expression, met) in [
        ("MIT", true),
        ("GPL-3.0-only", false),
        ("GPL-3.0-only OR MIT", true),
        ("GPL-3.0-only AND MIT", false),
        ("MIT/GPL-2.0", true),
        ("Apache-2.0 WITH LLVM-exception OR GPL-2.0-only", true),
        ("(MIT OR GPL-2.0-only) AND ISC", true),
        ("MIT OR GPL-2.0-only AND GPL-3.0-only", true),
        ("(MIT OR ISC) AND GPL-3.0-only", false),
        ("(MIT", false),
        ("MIT ISC", false),
        ("", false),
    ] {
        assert_eq!(is_met(expression, &accepted), met, "{expression}");
    }
}
