//! Pairs of statements, with the cosine that all-MiniLM-L6-v2 gives them.

use fact::Content;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::likeness::{Found, Gist, Likeness, PAIRS_MAX, Stated, alike, pairs};

/// `expected|cosine|one|other`.
const MEASURED: &str = include_str!("likeness/measured.txt");

fn content(value: Value) -> Content {
    Content::parse(value).unwrap()
}

fn of(one: &str, other: &str, cosine: Option<f32>) -> Option<Likeness> {
    alike(&content(json!({"text": one})), &content(json!({"text": other})), cosine)
}

/// Each measured pair: what it ought to be, what it is by words and by both, and its line.
fn judged() -> Vec<(&'static str, [&'static str; 2], &'static str)> {
    let name = |like| match like {
        Some(Likeness::Near) => "near",
        Some(Likeness::Opposite) => "opposite",
        None => "apart",
    };
    let judged = |line: &'static str| {
        let fields: Vec<&str> = line.split('|').collect();
        let [expected, cosine, one, other] = fields[..] else { panic!("{line}") };
        let by_both = of(one, other, Some(cosine.parse().unwrap()));
        (expected, [name(of(one, other, None)), name(by_both)], line)
    };
    MEASURED.lines().map(judged).collect()
}

#[test]
fn the_measured_pairs_are_near_where_they_ought_to_be() {
    let mut told = String::new();
    for (way, title) in ["by words", "by words and meaning"].into_iter().enumerate() {
        let all = judged();
        let wrong: Vec<_> = all.iter().filter(|(expected, found, _)| *expected != found[way]).collect();
        told += &format!("{title}: {} of {} right\n", all.len() - wrong.len(), all.len());
        for (_, found, line) in wrong {
            told += &format!("  {:<8} {line}\n", found[way]);
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn what_can_and_cannot_be_is_opposite_however_short() {
    for (one, other) in [
        ("Ann can swim", "Ann can't swim"),
        ("Ann can swim", "Ann cannot swim"),
        ("Cid can ski", "Cid cant ski"),
        ("Bob will drive", "Bob won\u{2019}t drive"),
        ("Hal shall pay", "Hal shan't pay"),
        ("Kim always eats fish", "Kim never eats fish"),
        ("Kim eats fish", "Kim never eats fish"),
        ("Kim isst immer Fisch", "Kim isst nie Fisch"),
        ("Deployment is allowed", "Deployment is not allowed"),
    ] {
        assert_eq!(of(one, other, None), Some(Likeness::Opposite), "{one} / {other}");
        assert_eq!(of(other, one, None), Some(Likeness::Opposite), "{other} / {one}");
    }
    for (one, other) in [
        ("Ann can swim", "Ann will swim"),
        ("Kim always eats fish", "Kim sometimes eats fish"),
        ("The house is locked", "The house is unlocked"),
        ("Ann is employed", "Ann is unemployed"),
    ] {
        assert_eq!(of(one, other, None), None, "{one} / {other}");
    }
}

#[test]
fn a_denial_is_the_opposite_and_its_denial_is_not() {
    let allowed = "Production deployment is allowed";
    for denied in [
        "Production deployment is not allowed",
        "Production deployment isn't allowed",
        "Production deployment isn\u{2019}t allowed",
        "Production deployment is never allowed",
        "No production deployment is allowed",
        "Production deployment is NOT allowed",
    ] {
        assert_eq!(of(allowed, denied, None), Some(Likeness::Opposite), "{denied}");
        assert_eq!(of(allowed, denied, Some(1.0)), Some(Likeness::Opposite), "{denied}");
        let twice = format!("It is not so that {denied}");
        assert_ne!(of(allowed, &twice, Some(1.0)), Some(Likeness::Opposite), "{twice}");
    }
    let pairs = [
        ("Il fume souvent", "Il ne fume jamais souvent"),
        ("Come carne roja", "No come nunca carne roja"),
        ("Hat Kinder", "Hat keine Kinder"),
        ("他有时间", "他没有时间"),
        ("允許部署", "不允許部署"),
        ("会议室可以使用", "会议室无可以使用"),
    ];
    for (one, other) in pairs {
        assert_eq!(of(one, other, None), Some(Likeness::Opposite), "{other}");
    }
    assert_eq!(of("他非常喜欢喝茶", "他非常喜欢喝茶了", None), Some(Likeness::Near));
}

#[test]
fn what_a_json_holds_beside_its_text_counts() {
    let settings = |dark: bool, size: u32| content(json!({"theme": "is dark", "on": dark, "size": size}));
    let like = |one: &Content, other: &Content| alike(one, other, Some(1.0));
    assert_eq!(like(&settings(true, 3), &settings(true, 3)), Some(Likeness::Near));
    assert_eq!(like(&settings(true, 3), &settings(false, 3)), None);
    assert_eq!(like(&settings(true, 3), &settings(true, 4)), None);
    assert_eq!(
        like(&content(json!("Ana sings")), &content(json!({"text": "ana sings!"}))),
        Some(Likeness::Near)
    );
    assert_eq!(like(&content(json!("🙂")), &content(json!("🙁"))), None);
}

#[test]
fn numbers_are_compared_as_they_are_meant() {
    assert_eq!(of("It costs 1,000 dollars", "It costs 1000 dollars", None), Some(Likeness::Near));
    assert_eq!(of("Due on the 3rd", "Due on the 3", None), Some(Likeness::Near));
    for (one, other) in [
        ("It is 5 degrees", "It is -5 degrees"),
        ("It costs 5 \u{20ac} a month", "It costs 5 $ a month"),
        ("It is version 1.2 now", "It is version 1.3 now"),
        ("Takes 5% of all sales", "Takes 5 of all sales"),
    ] {
        assert_eq!(of(one, other, Some(0.99)), None, "{one}, {other}");
    }
}

fn stated(texts: &[&str]) -> Vec<Stated> {
    let gist = |text: &str| Gist::of(&content(json!({"text": text})));
    let items = texts.iter().enumerate();
    items.map(|(owner, text)| Stated { owner, gist: gist(text), meaning: Vec::new() }).collect()
}

#[test]
fn pairs_are_found_once_and_no_statement_with_itself() {
    let mut items = stated(&["Ana likes tea", "Ben plays chess", "ana likes tea.", "Ana doesn't like tea"]);
    assert_eq!(pairs(&items).near, [(0, 2)]);
    items[2].owner = 0;
    assert_eq!(pairs(&items).near, [], "two sides of one fact");
    let meant = |text, x: f32, y: f32| Stated { meaning: vec![x, y], ..stated(&[text]).remove(0) };
    let mut meant = [
        meant("The weekly release ships on demand", 1.0, 0.0),
        meant("Whenever asked, releases follow", 0.9, 0.435),
        meant("Somebody else sleeps", 0.0, 1.0),
    ];
    meant.iter_mut().enumerate().for_each(|(owner, one)| one.owner = owner);
    assert_eq!(pairs(&meant).near, [(0, 1)]);
}

#[test]
fn too_many_pairs_are_cut_and_it_is_said() {
    let mut same = stated(&["Ana likes tea"; 100]);
    same.iter_mut().for_each(|one| one.meaning = vec![1.0]);
    let found = pairs(&same);
    assert_eq!((found.near.len(), found.more), (PAIRS_MAX, true));
    let few = pairs(&stated(&["Ana likes tea"; 10]));
    assert_eq!(few, Found { near: few.near.clone(), more: false, words_only: false });
    assert_eq!(few.near.len(), 45);
}

fn sentence() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[A-Z]?[a-z]{1,8}",
        "[0-9]{1,3}",
        "\\PC{1,6}",
        Just("tea".to_owned()),
        Just("not".to_owned()),
        Just("Berlin".to_owned()),
        Just("他喜欢".to_owned()),
        Just("nunca".to_owned()),
        Just("the".to_owned()),
    ];
    proptest::collection::vec(word, 1..8)
        .prop_map(|words| words.join(" "))
        .prop_filter("says something", |text| !fact::is_blank(text) && !text.contains('\0'))
}

proptest! {
    #[test]
    fn likeness_is_symmetric(one in sentence(), other in sentence(), cosine in proptest::option::of(0.5_f32..1.0)) {
        prop_assert_eq!(of(&one, &other, cosine), of(&other, &one, cosine));
    }

    #[test]
    fn a_statement_is_near_itself(one in sentence()) {
        prop_assert_eq!(of(&one, &one, None), Some(Likeness::Near));
        prop_assert_eq!(of(&one, &one.to_lowercase(), Some(0.0)).is_some(), of(&one.to_lowercase(), &one, None).is_some());
    }

    #[test]
    fn one_denial_more_is_never_near(
        one in sentence(), cosine in proptest::option::of(0.5_f32..1.0),
        denial in prop_oneof!["not", "never", "without", "cannot", "nicht", "kein", "neither", "none"],
    ) {
        prop_assert_ne!(of(&one, &format!("{one} {denial}"), cosine), Some(Likeness::Near));
        prop_assert_ne!(of(&format!("{denial} {one}"), &one, cosine), Some(Likeness::Near));
    }

    #[test]
    fn the_pairs_are_those_that_are_alike(texts in proptest::collection::vec(sentence(), 0..12)) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let near = |one: usize, other: usize| of(texts[one], texts[other], None) == Some(Likeness::Near);
        let all = (0..texts.len()).flat_map(|one| (one + 1..texts.len()).map(move |other| (one, other)));
        let expected: Vec<_> = all.filter(|(one, other)| near(*one, *other)).collect();
        prop_assert_eq!(pairs(&stated(&texts)).near, expected);
    }
}
