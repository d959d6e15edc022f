//! How events and heads are stored: changing any of this breaks ledgers that exist.

use serde_json::json;

use crate::samples::{at, conflict, created, erased, fold, id, number, review, revised, saying, valid};
use crate::{Cause, Entry, Happening};
use crate::{Head, Origin, Provenance, Retention, Saying, Subject};

fn full_saying() -> Saying {
    Saying {
        origin: Origin::Restored(number(1)),
        valid_from: Some(at(1)),
        valid_until: Some(at(2)),
        observed_at: Some(at(3)),
        retention: Retention { keep_days: Some(30), keep_until: Some(at(4)), unless_verified: false },
        subjects: vec![Subject { kind: id("user"), id: id("ann") }],
        provenance: Provenance { tool_call: Some(id("c1")), sequence: Some(7), ..Provenance::default() },
        ..saying()
    }
}

fn proposed() -> Happening {
    let Happening::Created { kind, scope, keyed, held: _, saying } = created(saying()) else { panic!() };
    Happening::Proposed { kind, scope, keyed, review: review(), saying }
}

#[test]
fn the_stored_form_of_a_happening() {
    let plain = json!({
        "origin": "stated", "confidence": 1_000_000, "trust": "asserted", "admission": "admitted",
        "retention": {}, "provenance": {},
    });
    let full = json!({
        "origin": {"restored": 1}, "confidence": 1_000_000, "trust": "asserted", "admission": "admitted",
        "validFrom": 1, "validUntil": 2, "observedAt": 3, "retention": {"keepDays": 30, "keepUntil": 4},
        "subjects": [{"kind": "user", "id": "ann"}], "provenance": {"toolCallId": "c1", "seq": 7},
    });
    let conflict_id = "00000000-0000-0000-0000-000000000001";
    for (happening, stored) in [
        (
            created(saying()),
            json!({"event": "created", "type": "acme.preference", "scope": {"tenantId": "local"}, "keyed": true,
                "held": false, "saying": plain}),
        ),
        (
            revised(2, Entry::Settles, full_saying()),
            json!({"event": "revised", "revision": 2, "entry": "settles", "saying": full}),
        ),
        (
            revised(2, Entry::Joins(conflict(1)), saying()),
            json!({"event": "revised", "revision": 2, "entry": {"joins": conflict_id}, "saying": plain}),
        ),
        (
            Happening::HeldBack { review: review(), cause: Cause::SaidAgainAfterForgotten, saying: saying() },
            json!({"event": "heldBack", "review": "00000000-0000-0000-0000-000000000003",
                "cause": "said-again-after-forgotten", "saying": plain}),
        ),
        (
            proposed(),
            json!({"event": "proposed", "type": "acme.preference", "scope": {"tenantId": "local"}, "keyed": true,
                "review": "00000000-0000-0000-0000-000000000003", "saying": plain}),
        ),
        (
            Happening::HeldBack { review: review(), cause: Cause::MemoryFact, saying: saying() },
            json!({"event": "heldBack", "review": "00000000-0000-0000-0000-000000000003",
                "cause": "memory-fact", "saying": plain}),
        ),
        (Happening::EvidenceAdded { revision: number(2) }, json!({"event": "evidenceAdded", "revision": 2})),
        (Happening::Admitted { revision: number(2) }, json!({"event": "admitted", "revision": 2})),
        (Happening::Retracted, json!({"event": "retracted"})),
        (Happening::HoldPlaced, json!({"event": "holdPlaced"})),
        (Happening::HoldLifted, json!({"event": "holdLifted"})),
        (erased(&[1]), json!({"event": "erased", "revisions": [1], "positions": []})),
    ] {
        assert_eq!(serde_json::to_value(&happening).unwrap(), stored);
        assert_eq!(stored["event"], happening.name());
        assert_eq!(serde_json::from_value::<Happening>(stored).unwrap(), happening);
    }
}

#[test]
fn a_head_is_read_back_as_it_was() {
    let first = || created(saying());
    for happenings in [
        vec![first()],
        vec![first(), revised(2, Entry::Settles, valid(Some(50), Some(60))), erased(&[2])],
        vec![first(), revised(2, Entry::Opens(conflict(1)), saying())],
        vec![first(), Happening::Retracted],
        vec![first(), erased(&[1])],
        vec![proposed()],
    ] {
        let head = fold(happenings);
        let stored = serde_json::to_string(&head).unwrap();
        assert_eq!(serde_json::from_str::<Head>(&stored).unwrap(), head);
    }
}

#[test]
fn an_event_that_says_something_gives_its_saying_and_its_revision() {
    for (happening, says, revision) in [
        (created(saying()), true, Some(1)),
        (revised(2, Entry::History, saying()), true, Some(2)),
        (proposed(), true, None),
        (Happening::EvidenceAdded { revision: number(3) }, false, Some(3)),
        (Happening::Admitted { revision: number(3) }, false, Some(3)),
        (Happening::Retracted, false, None),
        (erased(&[1]), false, None),
    ] {
        assert_eq!(happening.saying().is_some(), says, "{}", happening.name());
        assert_eq!(happening.revision().map(|n| n.get()), revision, "{}", happening.name());
    }
}
