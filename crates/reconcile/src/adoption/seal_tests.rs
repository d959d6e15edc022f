//! What can be sealed, that no byte of it can be changed, and the plan that comes of it.

use std::collections::BTreeSet;

use fact::{FactId, Timestamp, limits};
use proptest::prelude::*;

use super::samples::{id, now, row, story, text};
use super::{Audit, BadSeal, Choice, Flag, NotSealable, Review, ReviewRow, Sealed, Step, audit, plan, seal};
use crate::samples::{DAY, actor, after};

fn sealed(audit: &Audit, review: &Review) -> Result<Sealed, NotSealable> {
    seal(audit, review, actor("user:ann"), after(DAY))
}

/// The story with one decision for all groups, and an edit.
fn decided(lines: &str, all: Choice, edit: impl FnOnce(&mut Review)) -> Result<Sealed, NotSealable> {
    let audit = audit(&story(lines), now());
    let mut review = Review::of(&audit);
    review.groups.iter_mut().for_each(|group| group.decision = all);
    edit(&mut review);
    sealed(&audit, &review)
}

fn row_of(review: &mut Review, number: u128) -> &mut ReviewRow {
    review.groups.iter_mut().flat_map(|group| &mut group.rows).find(|row| row.row == id(number)).unwrap()
}

/// What the error and its source say.
fn said(error: &NotSealable) -> String {
    let source = std::error::Error::source(error).map(|source| format!(": {source}"));
    format!("{error}{}", source.unwrap_or_default())
}

/// The steps, one a line, by the numbers of their rows.
fn told(sealed: &Sealed) -> Vec<String> {
    let numbers = |rows: &[FactId]| {
        rows.iter().map(|row| row.uuid().as_u128().to_string()).collect::<Vec<_>>().join(" ")
    };
    let line = |step: &Step| match step {
        Step::Adopt(adoption) => {
            let cites: Vec<FactId> = adoption.cites.iter().map(|cite| cite.row).collect();
            format!("adopt {}: {}", numbers(&cites), adoption.wording.text.as_str())
        }
        Step::Keep { row } => format!("keep {}", numbers(&[*row])),
        Step::Reject { rows, note } => format!("reject {}: {}", numbers(rows), note.is_some()),
        Step::Defer { rows, note } => format!("defer {}: {}", numbers(rows), note.is_some()),
    };
    let steps = plan(sealed);
    assert!(steps.iter().zip(1..).all(|(step, number)| step.number == number));
    steps.iter().map(|step| line(&step.step)).collect()
}

#[test]
fn every_step() {
    let lines = "[written -3] Ann likes tea
        [written -9] Ann likes tea
        [place a.md:1] Ann went to Rome,
        [place a.md:2] and she walked home
        [episode] Met Ben
        The port is 8001
        The port is 8002
        Ann has a garden
        Ann owns a boat";
    let sealed = decided(lines, Choice::Approve, |review| {
        row_of(review, 6).decision = Some(Choice::Reject);
        row_of(review, 7).decision = Some(Choice::Approve);
        row_of(review, 8).decision = Some(Choice::Defer);
        row_of(review, 9).corrected = Some(text("Ann sold her boat"));
        review.groups.last_mut().unwrap().note = Some(text("ask her"));
    });
    assert_eq!(
        told(&sealed.unwrap()),
        [
            "reject 6: false",
            "adopt 7: The port is 8002",
            "adopt 1 2: Ann likes tea",
            "adopt 3 4: Ann went to Rome, and she walked home",
            "keep 5",
            "defer 8: true",
            "adopt 9: Ann sold her boat",
        ]
    );
}

#[test]
fn what_is_left_out_is_a_step_of_its_group() {
    let lines = "Ann has a garden\nBen owns a boat\n[until -1] Clara sings";
    assert_eq!(
        told(&decided(lines, Choice::Reject, |_| ()).unwrap()),
        ["reject 3: false", "reject 1 2: false"]
    );
    assert_eq!(told(&decided(lines, Choice::Defer, |_| ()).unwrap()), ["defer 3: false", "defer 1 2: false"]);
}

#[test]
fn a_wording_has_all_that_the_row_told() {
    let lines = "[type acme.taste] [key drink] [tag hot] [tag hot] [written -9] [until 90] Ann likes tea";
    let sealed = decided(lines, Choice::Approve, |review| {
        row_of(review, 1).until = Some(after(9 * DAY));
    });
    let steps = plan(&sealed.unwrap());
    let Step::Adopt(adoption) = &steps[0].step else { panic!("{steps:?}") };
    let draft = adoption.draft();
    assert_eq!((draft.kind.as_deref(), draft.key.as_deref()), (Some("acme.taste"), Some("drink")));
    assert_eq!(draft.valid_from, Some(after(-9 * DAY)), "from when it was written, for it ends");
    assert_eq!((draft.valid_until, draft.observed_at), (Some(after(9 * DAY)), Some(after(-9 * DAY))));
    assert_eq!(draft.evidence[0].digest.as_deref(), Some(format!("{:064x}", 1).as_str()));
    assert_eq!(draft.evidence[0].id.as_str(), id(1).to_string());
    let plain = plan(&decided("Ann likes tea", Choice::Approve, |_| ()).unwrap());
    let Step::Adopt(adoption) = &plain[0].step else { panic!("{plain:?}") };
    assert_eq!(adoption.wording.kind.as_str(), "legacy.note");
    assert_eq!((adoption.wording.valid_from, adoption.wording.valid_until), (None, None));
}

#[test]
fn a_key_is_given_once_in_a_scope() {
    let keys = |lines: &str| -> Vec<bool> {
        let sealed = decided(lines, Choice::Approve, |review| {
            review
                .groups
                .iter_mut()
                .flat_map(|group| &mut group.rows)
                .for_each(|row| row.decision = Some(Choice::Approve));
        });
        let steps = plan(&sealed.unwrap()).into_iter();
        steps
            .map(|step| matches!(step.step, Step::Adopt(adoption) if adoption.wording.key.is_some()))
            .collect()
    };
    assert_eq!(keys("[key a] Ann likes tea\n[key b] Ben plays chess"), [true, true]);
    assert_eq!(keys("[key a] Ann likes tea\n[key a] Ben plays chess"), [false, false]);
    assert_eq!(keys("[key a] Ann likes tea\n[user ben] [key a] Ben plays chess"), [true, true]);
    assert_eq!(keys("[key a] Ann likes tea\n[key a] Ann likes tea"), [true]);
    let long = "k".repeat(limits::KEY_CHARS_MAX + 1);
    assert_eq!(keys(&format!("[key {long}] Ann likes tea")), [false]);
}

#[test]
fn what_cannot_be_sealed() {
    let refused =
        |lines: &str, all, edit: &dyn Fn(&mut Review)| said(&decided(lines, all, edit).unwrap_err());
    let row = format!("row {} cannot be adopted so", id(1));
    let approve = Choice::Approve;
    assert_eq!(refused("Ann\n[deferred] Ben", Choice::Pending, &|_| ()), "not decided yet: g1, g2");
    assert_eq!(
        refused("Ann\nBen", approve, &|review| row_of(review, 2).decision = Some(Choice::Pending)),
        "not decided yet: g1"
    );
    for lines in
        ["The port is 1\nThe port is 2", "[owner ben] x", "[project kai] x", "[rejected] x", "[forgotten] x"]
    {
        assert!(refused(lines, approve, &|_| ()).starts_with("group g1 is approved row by row"), "{lines}");
        let each = |review: &mut Review| {
            review.groups[0].rows.iter_mut().for_each(|row| row.decision = Some(Choice::Approve));
        };
        assert!(decided(lines, Choice::Reject, each).is_ok(), "{lines}");
    }
    let same = "Ann likes tea\nAnn likes tea";
    let keeper = "group g1: exactly one of its approved rows must have keep = true";
    assert_eq!(refused(same, approve, &|review| row_of(review, 2).keep = true), keeper);
    assert_eq!(refused(same, approve, &|review| row_of(review, 1).keep = false), keeper);
    let reject_keeper = |review: &mut Review| row_of(review, 1).decision = Some(Choice::Reject);
    assert_eq!(
        told(&decided(same, approve, reject_keeper).unwrap()),
        ["reject 1: false", "adopt 2: Ann likes tea"]
    );
    assert_eq!(
        refused(same, approve, &|review| row_of(review, 2).corrected = Some(text("x"))),
        format!("row {} cannot be adopted so: corrected: is for the row that is kept; leave it out", id(2))
    );
    assert_eq!(
        refused("[episode] Met Ben", approve, &|review| row_of(review, 1).until = Some(now())),
        format!("{row}: until: an episode stays as it was written; leave it out")
    );
    let parts = "[place a.md:1] Ann went,\n[place a.md:2] and came";
    assert_eq!(
        refused(parts, approve, &|review| row_of(review, 1).corrected = None),
        format!("{row}: corrected: must say what the fragments say together")
    );
    let long = text(&"x".repeat(limits::CONTENT_CHARS_MAX + 1));
    assert_eq!(
        refused("Ann", approve, &|review| row_of(review, 1).corrected = Some(long.clone())),
        format!("{row}: content: has 16385 characters; at most 16384")
    );
    assert_eq!(
        refused("[until 5] Ann", approve, &|review| row_of(review, 1).from = Some(after(6 * DAY))),
        format!("{row}: validUntil: must be later than validFrom")
    );
    assert_eq!(
        refused("Ann likes tea\nBen plays chess", approve, &|review| row_of(review, 1).corrected =
            Some(text("Ben plays  chess"))),
        format!("row {} would say the same as row {}: reject one of them", id(2), id(1))
    );
    assert_eq!(
        refused("Ann", approve, &|review| review.groups[0].note = Some(text(&"x".repeat(501)))),
        "the review is not as it must be: group g1, note: has 501 characters; at most 500"
    );
    let many = "Ann likes tea\n".repeat(limits::EVIDENCE_MAX + 1);
    assert!(refused(&many, approve, &|_| ()).starts_with("group g1: 65 rows are approved"));
    assert!(!audit(&story(&many), now()).groups[0].safe);
}

#[test]
fn no_row_is_decided_twice() {
    let mut audit = audit(&story("Ann likes tea\n[episode] Met Ben"), now());
    let row = audit.groups[1].rows[0].clone();
    audit.groups[0].rows.push(row);
    let mut review = Review::of(&audit);
    review.groups.iter_mut().for_each(|group| group.decision = Choice::Approve);
    assert_eq!(sealed(&audit, &review), Err(NotSealable::Overlap { row: id(1) }));
}

#[test]
fn what_is_no_tag_is_left_out_and_shown() {
    let long = "x".repeat(limits::TAG_CHARS_MAX + 1);
    let rows = story(&format!("[tag {long}] [tag hot] Ann likes tea"));
    assert_eq!(audit(&rows, now()).groups[0].rows[0].flags, [Flag::UnfitTags]);
    let sealed = decided(&format!("[tag {long}] [tag hot] Ann likes tea"), Choice::Approve, |_| ()).unwrap();
    let Step::Adopt(adoption) = plan(&sealed).remove(0).step else { panic!("{sealed:?}") };
    assert_eq!(adoption.wording.tags, [text("hot")]);
}

#[test]
fn only_a_person_seals() {
    let audit = audit(&[row(1, "Ann likes tea")], now());
    let mut review = Review::of(&audit);
    review.approve_safe(&audit).unwrap();
    for machine in ["agent:a@1", "migration:m", "service:s"] {
        assert_eq!(seal(&audit, &review, actor(machine), now()), Err(NotSealable::NotAPerson), "{machine}");
    }
    for person in ["user:ann", "operator:op"] {
        let sealed = seal(&audit, &review, actor(person), now()).unwrap();
        assert_eq!((sealed.reviewer(), sealed.audit()), (&actor(person), audit.digest().as_str()));
    }
}

#[test]
fn what_has_lapsed_is_adopted_as_over() {
    let steps = plan(&decided("[until -1] [written -5] Ann likes tea", Choice::Approve, |_| ()).unwrap());
    let Step::Adopt(adoption) = &steps[0].step else { panic!("{steps:?}") };
    assert_eq!(adoption.wording.valid_from, Some(after(-5 * DAY)));
    assert_eq!(adoption.wording.valid_until, Some(after(-DAY)));
    let steps = plan(&decided("[until -9] [written] Ann likes tea", Choice::Approve, |_| ()).unwrap());
    let Step::Adopt(adoption) = &steps[0].step else { panic!("{steps:?}") };
    assert_eq!(adoption.wording.valid_from.unwrap().next(), after(-9 * DAY), "the last instant of it");
}

#[test]
fn any_changed_byte_is_found() {
    let mut rows = story("Ann likes tea\nAnn likes tea\n[deferred] Ben\n[episode] Met Ben\n[until 1] x");
    rows[0].legacy.valid_until = Some(Timestamp::from_micros(253_402_300_799_999_999));
    let audit = audit(&rows, now());
    let mut review = Review::of(&audit);
    for group in &mut review.groups {
        group.decision = Choice::Approve;
        group.rows.iter_mut().for_each(|row| row.decision = Some(Choice::Approve));
    }
    let whole = sealed(&audit, &review).unwrap();
    let file = whole.render();
    assert_eq!(Sealed::parse(&file), Ok(whole));
    for at in 0..file.len() {
        for flip in [1_u8, 2, 4, 8, 16, 32, 64] {
            let mut bytes = file.clone().into_bytes();
            bytes[at] ^= flip;
            if let Ok(changed) = String::from_utf8(bytes) {
                assert!(Sealed::parse(&changed).is_err(), "byte {at}");
            }
        }
        let mut shorter = file.clone();
        shorter.remove(at);
        assert!(Sealed::parse(&shorter).is_err(), "without byte {at}");
    }
    for more in [format!(" {file}"), format!("{file}\n"), file.replacen(':', ": ", 1)] {
        assert_eq!(Sealed::parse(&more), Err(BadSeal::Changed));
    }
    assert_eq!(Sealed::parse("no"), Err(BadSeal::Unreadable));
}

proptest! {
    #[test]
    fn the_plan_has_every_row_once(
        texts in proptest::collection::vec("(\\[episode\\] |\\[until -1\\] |\\[current\\] |)(Ann|Ben) (likes|sees) (tea|7|8|not tea)", 1..12),
        choices in proptest::collection::vec(0_usize..3, 12),
    ) {
        let rows = story(&texts.join("\n"));
        let audit = audit(&rows, now());
        let mut review = Review::of(&audit);
        let mut choices = choices.into_iter().map(|choice| Choice::ALL[choice + 1]);
        for group in &mut review.groups {
            group.rows.iter_mut().for_each(|row| row.decision = choices.next());
            let keeper = group.rows.iter().position(|row| row.decision == Some(Choice::Approve));
            if group.kind.has_keeper() {
                group.rows.iter_mut().enumerate().for_each(|(at, row)| row.keep = Some(at) == keeper);
            }
            group.decision = Choice::Reject;
        }
        let sealed = match sealed(&audit, &review) {
            Err(NotSealable::SameStatement { .. }) => return Ok(()),
            sealed => sealed.unwrap(),
        };
        prop_assert_eq!(&Sealed::parse(&sealed.render()).unwrap(), &sealed);
        prop_assert_eq!(plan(&sealed), plan(&sealed));
        let mut seen = Vec::new();
        for step in plan(&sealed) {
            match step.step {
                Step::Adopt(adoption) => {
                    prop_assert_eq!(adoption.cites[0].row, adoption.keeper);
                    seen.extend(adoption.cites.iter().map(|cite| cite.row));
                }
                Step::Keep { row } => seen.push(row),
                Step::Reject { rows, .. } | Step::Defer { rows, .. } => seen.extend(rows),
            }
        }
        let all: BTreeSet<FactId> = rows.iter().map(|row| row.row).collect();
        prop_assert_eq!(seen.len(), rows.len());
        prop_assert_eq!(seen.into_iter().collect::<BTreeSet<_>>(), all);
    }
}
