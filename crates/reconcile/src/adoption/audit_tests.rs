//! Which rows go together, and why.

use fact::FactId;
use proptest::prelude::*;

use super::samples::{id, now, row, rows, story, text};
use super::{Audit, AuditRow, Group, GroupKind, audit};

/// The groups of an audit, one a line: kind, whether it is safe, rows; the keeper with a star.
fn told(audit: &Audit) -> Vec<String> {
    let number = |row: FactId| row.uuid().as_u128();
    let line = |group: &Group| {
        let rows =
            group.rows.iter().map(|row| format!("{}{}", if row.keep { "*" } else { "" }, number(row.row)));
        let safe = if group.safe { " safe" } else { "" };
        format!("{}{safe}: {}", group.kind.name(), rows.collect::<Vec<_>>().join(" "))
    };
    audit.groups.iter().map(line).collect()
}

fn check(lines: &str, expected: &[&str]) {
    assert_eq!(told(&audit(&story(lines), now())), expected, "{lines}");
}

#[test]
fn six_rows_make_six_kinds() {
    let six = story(
        "[malformed createdAt] Ann lives in Lisbon
         [contested] Ann drinks tea at work
         [current] Ann plays chess
         [until -1] Ann works from home on Fridays
         [episode] Fixed the build with Ben
         Ann has a garden",
    );
    let audit = audit(&six, now());
    let proposed: Vec<_> =
        audit.groups.iter().map(|group| format!("{}: {}", group.kind.name(), group.action.name())).collect();
    assert_eq!(
        proposed,
        [
            "malformed-provenance: decide-each",
            "possible-contradictions: decide-each",
            "likely-duplicates: adopt-keeper",
            "lapsed: reject-or-renew",
            "related-episodes: keep-each",
            "plain: adopt-each",
        ]
    );
}

#[test]
fn a_row_is_of_the_first_kind_that_fits() {
    check(
        "[unknown] [until -1] Ann likes tea today\nAnn likes tea today",
        &["malformed-provenance: 1", "plain safe: 2"],
    );
    check("Ann likes tea\nAnn doesn't like tea\nann likes tea!", &["possible-contradictions: 1 2 3"]);
    check("[until -1] Ann likes tea\nAnn likes tea.", &["likely-duplicates: *2 1"]);
}

#[test]
fn provenance() {
    let of = |line: &str, kind: &str| check(line, &[&format!("{kind}: 1")]);
    of("[owner ben] Ann likes tea", "malformed-provenance");
    of("[owner ann] Ann likes tea", "plain safe");
    of("[project kai] Ann likes tea", "malformed-provenance");
    of("[in-project kai] [project kai] Ann likes tea", "plain safe");
    of("[in-project koi] [project kai] Ann likes tea", "malformed-provenance");
    of("[unknown] Ann likes tea", "malformed-provenance");
    of("[episode] [malformed goal] Met Ben", "malformed-provenance");
    check(
        "[owner ben] [unknown] one thing\n[unknown] another thing\n[owner ben] a third thing",
        &["malformed-provenance: 1 3", "malformed-provenance: 2"],
    );
}

#[test]
fn contradictions() {
    for two in [
        "Deployment is allowed\nDeployment is not allowed",
        "Ann can swim\nAnn can't swim",
        "Cid can ski\nCid cannot ski",
        "Bob will drive\nBob won't drive",
        "Kim always eats fish\nKim never eats fish",
        "The house is locked\nThe house is unlocked",
        "Ben is married\nBen is unmarried",
        "The port is 8001\nThe port is 8002",
        "Ann lives in Berlin\nAnn lives in Lisbon",
        "Standup is on Monday at 9\nStandup is on Tuesday at 9",
        "Ann prefers dark mode\nAnn prefers light mode",
        "Three cats live there\nTwo cats live there",
        "Favourite food is pizza\nThe favourite food is sushi",
        "editor: vim\nEditor: emacs",
        "[key editor] Works with vim\n[key editor] Types everything into emacs",
    ] {
        check(two, &["possible-contradictions: 1 2"]);
    }
    for apart in [
        "Ann lives in Berlin\nBen lives in Berlin",
        "Ann likes tea\nAnn likes coffee",
        "The office is in Lisbon\nThe office has 40 desks and 3 rooms",
        "[key a] Works with vim\n[key b] Types everything into emacs",
        "[user ann] The port is 8001\n[user ben] The port is 8002",
        "The port is 8001\n[episode] The port is 8002",
    ] {
        assert!(!told(&audit(&story(apart), now()))[0].starts_with("possible"), "{apart}");
    }
    check("[key drink] Ann likes tea\n[key drink] ann likes tea.", &["likely-duplicates: *2 1"]);
}

#[test]
fn many_answers_are_a_list() {
    let visited = |count: usize| -> Vec<AuditRow> {
        let cities = ["Rome", "Oslo", "Bern", "Paris", "Lima"];
        cities[..count]
            .iter()
            .zip(1..)
            .map(|(city, number)| row(number, &format!("Visited {city}")))
            .collect()
    };
    assert_eq!(told(&audit(&visited(4), now())), ["possible-contradictions: 1 2 3 4"]);
    assert_eq!(told(&audit(&visited(5), now())), ["plain safe: 1 2 3 4 5"]);
}

#[test]
fn duplicates() {
    check("Ann likes tea\nAnn   likes tea", &["likely-duplicates safe: *2 1"]);
    check("[written -3] Ann likes tea\n[written -9] Ann likes tea", &["likely-duplicates safe: *1 2"]);
    check("[written] Ann likes tea\n[written -9] Ann likes tea", &["likely-duplicates safe: *2 1"]);
    check("Ann likes tea\nann likes tea.", &["likely-duplicates: *2 1"]);
    check("Ann likes tea\n[until 3] Ann likes tea", &["likely-duplicates: *1 2"]);
    check("Ann likes tea\n[type acme.taste] Ann likes tea", &["likely-duplicates: *1 2"]);
    check("Ann likes tea\n[rejected] Ann likes tea", &["likely-duplicates: *1 2"]);
    check("Ann likes tea\n[forgotten] Ann likes tea", &["likely-duplicates: *1 2"]);
    check("[current] Ann likes tea", &["likely-duplicates safe: *1"]);
    check("[current] [until 3] Ann likes tea", &["likely-duplicates: *1"]);
    check("Ann likes tea\n[user ben] Ann likes tea", &["plain safe: 1 2"]);
}

#[test]
fn a_chain_is_a_group_only_as_far_as_it_is_near_the_keeper() {
    let chain = "[written -1] Ann likes strong black tea
        [written -2] Ann likes strong black tea leaves
        [written -3] Ann likes strong black tea leaves blended";
    check(chain, &["likely-duplicates: *1 2", "plain safe: 3"]);
}

#[test]
fn duplicates_by_meaning() {
    let mut two = rows(&["The weekly release ships on demand", "Whenever asked, releases follow"]);
    two[0].meaning = vec![1.0, 0.0];
    two[1].meaning = vec![0.9, 0.435];
    assert_eq!(told(&audit(&two, now())), ["likely-duplicates: *1 2"]);
}

#[test]
fn fragments() {
    let of = |lines: &[(u32, &str)]| {
        let rows = lines.iter().zip(1..).map(|((line, says), number)| {
            let mut row = row(number, says);
            row.legacy.place = text(&format!("notes.md#Tea:{line}"));
            row
        });
        audit(&rows.collect::<Vec<_>>(), now())
    };
    let whole = |audit: &Audit| audit.groups[0].whole.as_ref().map(|whole| whole.as_str().to_owned());
    let split = of(&[(3, "Ann drinks green tea,"), (4, "and coffee on Sundays")]);
    assert_eq!(told(&split), ["fragments: *1 2"]);
    assert_eq!(whole(&split).unwrap(), "Ann drinks green tea, and coffee on Sundays");
    let list =
        of(&[(3, "Ann's drinks:"), (4, "green tea"), (5, "black coffee"), (6, "She owns a boat, too.")]);
    assert_eq!(told(&list), ["fragments: *1 2 3", "plain safe: 4"]);
    assert_eq!(whole(&list).unwrap(), "Ann's drinks: green tea, black coffee");
    let backwards = of(&[(4, "and coffee on Sundays"), (3, "Ann drinks green tea,")]);
    assert_eq!(told(&backwards), ["fragments: *2 1"]);
    assert_eq!(told(&of(&[(3, "Ann drinks green tea,"), (9, "and coffee")])), ["plain safe: 1 2"]);
    assert_eq!(told(&of(&[(3, "Ann drinks green tea."), (4, "and coffee")])), ["plain safe: 1 2"]);
    assert_eq!(told(&of(&[(3, "green tea"), (4, "black coffee")])), ["plain safe: 1 2"]);
}

#[test]
fn lapsed_or_old_words_of_time() {
    check("[until 0] Ann works from home", &["lapsed: 1"]);
    check("[until 1] Ann works from home", &["plain safe: 1"]);
    for words in [
        "Ann works from home today",
        "Meets Ben next Monday",
        "Ann lebt aktuell in Rom",
        "Is away this week.",
    ] {
        check(&format!("[written -30] {words}"), &["lapsed: 1"]);
        check(&format!("[written] {words}"), &["lapsed: 1"]);
        check(&format!("[written -29] {words}"), &["plain safe: 1"]);
    }
    check("[written -90] Ann reads the news every week", &["plain safe: 1"]);
    check("[until -1] Ann works\n[until -2] [user ben] Ben sleeps", &["lapsed: 1", "lapsed: 2"]);
}

#[test]
fn episodes() {
    check(
        "[episode] [tag build] Fixed the linker with Ben
         [episode] Planned the summer trip to Rome
         [episode] [tag build] Made releases faster
         [episode] Booked the summer trip to Rome
         [episode] Wrote a poem",
        &["related-episodes: 1 3", "related-episodes: 2 4", "related-episodes: 5"],
    );
    check("[episode] Met Ben\n[user ben] [episode] Met Ben", &["related-episodes: 1", "related-episodes: 2"]);
    check("[episode] Ann likes tea\nAnn likes tea", &["related-episodes: 1", "plain safe: 2"]);
}

#[test]
fn what_was_decided_before_is_never_in_the_bulk() {
    check(
        "Ann has a garden
         [deferred] Ben mows lawns
         [rejected] Clara sings songs
         [rolled-back] Dan cooks lunch
         [forgotten] Eve paints walls
         [deferred] Fritz swims lakes
         Grows big\u{e0041}\u{e0042} onions
         Pays \u{202e}001 a month",
        &["plain safe: 1", "plain: 2 6", "plain: 3", "plain: 4", "plain: 5", "plain: 7 8"],
    );
    let deferred = audit(&story("[deferred] Ann likes tea"), now());
    assert_eq!(deferred.groups[0].rows[0].earlier.as_ref().unwrap().note, Some(text("as it was then")));
    assert!(deferred.groups[0].is_row_by_row());
}

#[test]
fn four_hundred_and_thirty_seven_plain_rows_are_one_group() {
    let many: Vec<AuditRow> =
        (1..=437).map(|number| row(number, &format!("Shelf {number} holds box {number}"))).collect();
    let audit = audit(&many, now());
    assert_eq!(audit.groups.len(), 1);
    let bulk = &audit.groups[0];
    assert_eq!((bulk.kind, bulk.safe, bulk.rows.len()), (GroupKind::Plain, true, 437));
}

#[test]
fn the_digest_follows_every_change() {
    let some = rows(&["Ann likes tea", "Ben plays chess"]);
    let first = audit(&some, now());
    assert_eq!(first.digest(), audit(&some, now()).digest());
    assert_ne!(first.digest(), audit(&some, now().next()).digest());
    assert_ne!(first.digest(), audit(&some[..1], now()).digest());
    let json = serde_json::to_string(&first).unwrap();
    assert_eq!(serde_json::from_str::<Audit>(&json).unwrap(), first);
    assert!(!format!("{first:?}").contains("tea"), "its Debug prints no text");
}

/// The pairs that likeness is measured by, `expected|cosine|one|other`.
const MEASURED: &str = include_str!("../likeness/measured.txt");

#[test]
fn measured_opposites_are_contradictions_and_near_ones_are_not() {
    for line in MEASURED.lines() {
        let fields: Vec<&str> = line.split('|').collect();
        let [expected, cosine, one, other] = fields[..] else { panic!("{line}") };
        let cosine: f32 = cosine.parse().unwrap();
        let mut two = rows(&[one, other]);
        two[0].meaning = vec![1.0, 0.0];
        two[1].meaning = vec![cosine, (1.0 - cosine * cosine).max(0.0).sqrt()];
        let kind = audit(&two, now()).groups[0].kind;
        match expected {
            "opposite" => assert_eq!(kind, GroupKind::PossibleContradictions, "{line}"),
            "near" => assert_ne!(kind, GroupKind::PossibleContradictions, "{line}"),
            _ => {}
        }
    }
}

fn line() -> impl Strategy<Value = String> {
    let mark = prop_oneof![
        Just("[episode] "),
        Just("[unknown] "),
        Just("[deferred] "),
        Just("[current] "),
        Just("[contested] "),
        Just("[forgotten] "),
        Just("[until -1] "),
        Just("[until 4] "),
        Just("[written] "),
        Just("[written -60] "),
        Just("[user ben] "),
        Just("[tag x] "),
        Just("[key k] "),
        Just("[owner zoe] "),
        Just("[place a.md:4] "),
        Just("[place a.md:5] "),
        Just("[place a.md:6] "),
        Just(""),
        Just(""),
        Just(""),
    ];
    let word = prop_oneof![
        Just("Ann"),
        Just("Ben"),
        Just("likes"),
        Just("tea"),
        Just("coffee"),
        Just("not"),
        Just("never"),
        Just("7"),
        Just("8"),
        Just("today"),
        Just("Monday"),
        Just("is"),
        Just("and"),
        Just("tea,"),
        Just("drinks:"),
        Just("\u{e0041}"),
    ];
    (proptest::collection::vec(mark, 0..3), proptest::collection::vec(word, 1..6))
        .prop_map(|(marks, words)| format!("{}{}", marks.concat(), words.join(" ")))
}

proptest! {
    #[test]
    fn each_row_is_in_one_group_whatever_the_order(
        rows in proptest::collection::vec(line(), 0..25).prop_map(|lines| story(&lines.join("\n"))).prop_perturb(|rows, mut random| {
            let mut other = rows.clone();
            (1..other.len()).for_each(|at| other.swap(at, random.random_range(0..=at)));
            (rows, other)
        })
    ) {
        let (rows, other) = rows;
        let first = audit(&rows, now());
        prop_assert_eq!(first.digest(), audit(&other, now()).digest());
        let mut seen: Vec<FactId> = first.groups.iter().flat_map(|group| &group.rows).map(|row| row.row).collect();
        seen.sort();
        prop_assert_eq!(seen, (1..=u128::try_from(rows.len()).unwrap()).map(id).collect::<Vec<_>>());
        for group in &first.groups {
            prop_assert!(!group.safe || !group.is_row_by_row());
            prop_assert_eq!(group.rows.iter().filter(|row| row.keep).count(), usize::from(group.kind.has_keeper()));
        }
    }
}
