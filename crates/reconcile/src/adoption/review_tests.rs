//! The review as a person reads and edits it.

use proptest::prelude::*;

use super::samples::{id, now, row, story, text};
use super::{Audit, BadReview, Choice, Review, audit};
use crate::samples::after;

/// One of each kind, and two safe groups.
fn mixed() -> Audit {
    let mut mixed = story(
        "[owner ben] [key drink] Ben likes tea
         The port is 8001
         The port is 8002
         [type acme.taste] [tag hot] [tag drink] [written -3] Ann drinks coffee
         [type acme.taste] [written -9] Ann  drinks coffee
         [place notes.md#Trips:7] Ann went to Rome,
         [place notes.md#Trips:8] and she walked home
         [until -1] [from -90] Ann works from home
         [episode] Fixed the build with \"Ben\"
         [deferred] Ann has a boat
         a garden",
    );
    mixed[10].legacy.text = text("Ann has a garden\nwith \\ and \u{7} in it");
    audit(&mixed, now())
}

#[test]
fn a_review_as_it_is_read() {
    insta::assert_snapshot!(Review::of(&mixed()).render());
}

#[test]
fn a_review_reads_back() {
    let audit = mixed();
    let review = Review::of(&audit);
    assert_eq!(Review::parse(&review.render()).unwrap(), review);
    assert_eq!(review.check(&audit), Ok(()));
    let json = serde_json::to_string(&review).unwrap();
    assert_eq!(serde_json::from_str::<Review>(&json).unwrap(), review);
    assert!(!format!("{review:?}").contains("garden"), "its Debug prints no text");
}

#[test]
fn decisions_are_read() {
    let audit = audit(&story("[current] Ann likes tea"), now());
    let edited = Review::of(&audit)
        .render()
        .replace("decision = \"pending\"", "decision = \"defer\"\nnote = \"ask Ann\"")
        + "decision = 'approve'\ncorrected = '''\nAnn likes\n\"green\" tea'''\nfrom = 2026-10-01T12:00:00+02:00\nuntil = '2026-12-01T00:00:00Z'\n";
    let review = Review::parse(&edited).unwrap();
    assert_eq!(review.check(&audit), Ok(()));
    let group = &review.groups[0];
    assert_eq!((group.decision, &group.note), (Choice::Defer, &Some(text("ask Ann"))));
    let row = &group.rows[0];
    assert_eq!((row.decision, row.keep), (Some(Choice::Approve), true));
    assert_eq!(row.corrected, Some(text("Ann likes\n\"green\" tea")));
    assert_eq!(row.from.unwrap().to_string(), "2026-10-01T10:00:00.000Z");
    assert_eq!(row.until.unwrap().to_string(), "2026-12-01T00:00:00.000Z");
}

/// What is said of a review of one duplicate in which something was replaced.
fn refused(from: &str, to: &str) -> String {
    let audit = audit(&story("[current] Ann likes tea"), now());
    let text = Review::of(&audit).render();
    let (before, after) = text.rsplit_once(from).expect(from);
    let checked = Review::parse(&format!("{before}{to}{after}")).and_then(|review| review.check(&audit));
    checked.unwrap_err().to_string()
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let row = format!("group g1, row {}", id(1));
    for (from, to, said) in [
        (
            "decision = \"pending\"",
            "decision = \"yes\"",
            "group g1, decision: must be one of pending, approve, reject, defer",
        ),
        ("decision = \"pending\"", "", "group g1, decision: is missing"),
        (
            "decision = \"pending\"",
            "decision = \"defer\"\nnote = 7",
            "group g1, note: must be text in quotes",
        ),
        (
            "decision = \"pending\"",
            "decision = \"defer\"\nnotes = \"x\"",
            "group g1, notes: is no field; there may be id, kind, action, uncertainty, why, decision, note and row",
        ),
        ("keep = true", "keep = \"true\"", &format!("{row}, keep: must be true or false")),
        (
            "keep = true",
            "until = 2026-12-01T00:00:00",
            &format!("{row}, until: must be a time with its zone, such as 2026-11-01T10:00:00Z"),
        ),
        ("keep = true", "corrected = \" \"", &format!("{row}, corrected: must not be empty or blank")),
        (
            "Ann likes tea",
            "Ann hates tea",
            &format!(
                "{row}: text and about must stay as they were found; say what it is to be in `corrected`"
            ),
        ),
        ("id = \"g1\"", "id = \"g2\"", "group g2: is there twice, or is not a group of the audit"),
        ("id = \"g1\"", "id = \"Ann\"", "group number 1, id: must be the id of a group, such as g1"),
        (
            "uncertainty = \"low\"",
            "uncertainty = \"high\"",
            "group g1: its kind, action, uncertainty and why must stay as they were",
        ),
        ("[[group.row]]", "[group.row]", "group g1, row: must be written as [[row]] blocks"),
        (
            "keep = true",
            "keep = true\nkeep = true",
            "line 33: is not TOML; look at its quotes and brackets, and for a field that is there twice",
        ),
        ("audit = \"", "audit = \"0", "audit: this review is of another audit"),
    ] {
        assert_eq!(refused(from, to), said);
    }
}

#[test]
fn nothing_is_missing_or_there_twice() {
    let audit = mixed();
    let check = |edit: &dyn Fn(&mut Review)| {
        let mut review = Review::of(&audit);
        edit(&mut review);
        review.check(&audit).map_err(|bad: BadReview| bad.problem)
    };
    assert_eq!(check(&|review| review.groups.reverse()), Ok(()));
    assert_eq!(check(&|review| review.groups[1].rows.reverse()), Ok(()));
    let missing = Err("is missing".to_owned());
    assert_eq!(check(&|review| drop(review.groups.pop())), missing);
    assert_eq!(check(&|review| drop(review.groups[1].rows.pop())), missing);
    let twice = |review: &mut Review| review.groups.push(review.groups[0].clone());
    assert_eq!(check(&twice), Err("is there twice, or is not a group of the audit".to_owned()));
    let moved = |review: &mut Review| {
        let row = review.groups[0].rows[0].clone();
        review.groups[1].rows.push(row);
    };
    assert_eq!(check(&moved), Err("is there twice, or is not a row of this group".to_owned()));
    let kept = |review: &mut Review| review.groups[0].rows[0].keep = true;
    assert_eq!(check(&kept), Err("keep is for likely duplicates and fragments only".to_owned()));
}

#[test]
fn only_safe_groups_that_are_pending_are_approved_in_bulk() {
    let audit = mixed();
    let mut review = Review::of(&audit);
    let before = review.clone();
    let preview = review.safe_groups(&audit).unwrap();
    let kinds: Vec<_> = audit
        .groups
        .iter()
        .filter(|group| preview.contains(&group.id))
        .map(|group| group.kind.name())
        .collect();
    assert_eq!(kinds, ["likely-duplicates", "plain"]);
    assert_eq!(review.approve_safe(&audit).unwrap(), preview);
    assert_ne!(review.digest(), before.digest());
    for (group, before) in review.groups.iter().zip(&before.groups) {
        let expected = if preview.contains(&group.id) { Choice::Approve } else { Choice::Pending };
        assert_eq!((group.decision, &group.rows), (expected, &before.rows));
    }
    assert_eq!(review.approve_safe(&audit).unwrap(), [""; 0], "nothing is left");
    let mut decided = before;
    decided.groups.iter_mut().for_each(|group| group.decision = Choice::Reject);
    assert_eq!(decided.approve_safe(&audit).unwrap(), [""; 0]);
    let other = super::audit(&[row(1, "Ann likes tea")], now());
    assert!(review.approve_safe(&other).is_err(), "the preview of another audit approves nothing");
}

#[test]
fn what_nobody_sees_is_written_out() {
    let audit = audit(&[row(1, "Ann\u{202e} likes\u{e0041} \"tea\" \\ \n\u{1f469}\u{200d}\u{1f680}")], now());
    let rendered = Review::of(&audit).render();
    assert!(
        rendered.ends_with(concat!(
            "text = \"Ann\\u202E likes\\U000E0041 \\\"tea\\\" \\\\ \\u000A",
            "\u{1f469}\u{200d}\u{1f680}\"\n"
        )),
        "{rendered}"
    );
    assert_eq!(Review::parse(&rendered).unwrap().check(&audit), Ok(()));
}

proptest! {
    #[test]
    fn every_text_reads_back(
        says in "\\PC{0,20}|[\\x00-\\x7f\"'\\\\\u{85}\u{2028}\u{feff}]{0,12}", note in proptest::option::of("[a-z\"\\\\'\n\t]{0,9}x"),
        micros in -9_000_000_000_000_000_i64..90_000_000_000_000_000,
    ) {
        let mut audited = row(1, &says);
        audited.legacy.place = text(&says);
        let audit = audit(&[audited], now());
        let mut review = Review::of(&audit);
        review.groups[0].note = note.as_deref().map(text);
        review.groups[0].rows[0].until = Some(fact::Timestamp::from_micros(micros));
        let read = Review::parse(&review.render()).unwrap();
        prop_assert_eq!(&read, &review);
        prop_assert_eq!(read.check(&audit), Ok(()));
    }

    #[test]
    fn no_error_repeats_the_document(at in 0_usize..4000, junk in "[\"\\[\\]='a\n0]{1,3}") {
        let audit = audit(&story("Secretive Ann likes tea\n[deferred] Secretive Ben"), now());
        let mut text = Review::of(&audit).render();
        let at = at.min(text.len());
        text.insert_str(at, &junk);
        let checked = Review::parse(&text).and_then(|review| review.check(&audit));
        if let Err(bad) = checked {
            prop_assert!(!bad.to_string().contains("Secret"), "{}", bad);
        }
    }
}

#[test]
fn far_times_stay_apart() {
    let far = |micros| {
        let mut row = row(1, "Ann likes tea");
        row.legacy.valid_until = Some(fact::Timestamp::from_micros(micros));
        audit(&[row], after(0)).digest()
    };
    assert_ne!(far(253_402_300_799_000_000), far(253_402_300_799_000_001));
}
