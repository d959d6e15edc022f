//! World time and ledger time at a façade whose clock is moved by hand.

use serde_json::json;
use truthkeeper::{FactId, MemoryError, Outcome, State, Times, Timestamp};
use truthkeeper_tests::on_both_engines;

use super::scene::{DAY, SECOND, Scene, after, ann, as_of, refused, start, text, texts, time, valid_at};

/// What every kind of reading says of one fact now: get, list, recall by words, recall of the newest, counts.
async fn readings(scene: &Scene, fact: FactId) -> [bool; 5] {
    let got = match scene.get(fact).await {
        Ok(_) => true,
        Err(MemoryError::NotCurrent { .. }) => false,
        Err(error) => panic!("{error}"),
    };
    let listed = scene.list(&ann(), State::Active).await.iter().any(|seen| seen.head.fact == fact);
    let counted = scene.memory.counts(&ann()).await.unwrap()[&State::Active] == 1;
    let is_it = |recalled: truthkeeper::Recalled| recalled.facts.iter().any(|one| one.case.head.fact == fact);
    [got, listed, is_it(scene.recall("tea coffee").await), is_it(scene.newest().await), counted]
}

on_both_engines! {
    // 24, LED-06
    async fn a_fact_is_current_up_to_but_not_at_its_end(store: Store) {
        let scene = Scene::on(store).await;
        let end = time("2026-11-02T10:00:00Z");
        let fact = scene.wrote(&ann(), json!({"validUntil": "2026-11-02T10:00:00Z"})).await.fact;
        for (at, holds) in [(after(end, -1), true), (end, false), (after(end, 1), false)] {
            scene.set(at);
            assert_eq!(readings(&scene, fact).await, [holds; 5], "at {}", at.exact());
        }
        for (at, holds) in [(after(end, -1), true), (end, false), (after(end, 1), false)] {
            for times in [as_of(at), valid_at(at), Times { as_of: Some(start()), valid_at: Some(at) }] {
                let got = scene.text_at(fact, times).await.is_some();
                let listed = !scene.list_at(&ann(), State::Active, times).await.is_empty();
                assert_eq!((got, listed), (holds, holds), "{times:?}");
            }
        }
    }

    // 24
    async fn a_fact_is_current_from_its_start_on(store: Store) {
        let scene = Scene::on(store).await;
        let begin = time("2026-11-02T10:00:00Z");
        let fact = scene.wrote(&ann(), json!({"validFrom": "2026-11-02T10:00:00Z"})).await.fact;
        refused!(scene.get(fact).await, MemoryError::NotCurrent { state: "not yet valid" });
        for (at, holds) in [(after(begin, -1), false), (begin, true), (after(begin, 1), true)] {
            scene.set(at);
            assert_eq!(readings(&scene, fact).await[..4], [holds; 4], "at {}", at.exact());
            assert_eq!(scene.text_at(fact, valid_at(at)).await.is_some(), holds);
        }
    }

    async fn what_begins_later_does_not_end_what_holds_until_then(store: Store) {
        let scene = Scene::on(store).await;
        let begin = time("2026-11-02T10:00:00Z");
        let fact = scene.say("tea").await;
        let next = json!({"fact": fact, "content": {"text": "coffee"}, "validFrom": "2026-11-02T10:00:00Z"});
        assert_eq!(scene.wrote(&ann(), next).await.outcome, Outcome::Superseded);
        for (at, says, rows) in
            [(after(start(), 2), "tea", 1), (after(begin, -1), "tea", 1), (begin, "coffee", 2)]
        {
            scene.set(at);
            assert_eq!(
                (scene.text(fact).await, texts(&scene.recall("tea coffee").await)),
                (says.to_owned(), vec![says.to_owned()])
            );
            assert_eq!(
                (texts(&scene.newest().await), scene.rows(fact).await),
                (vec![says.to_owned()], vec![rows])
            );
            assert_eq!(scene.list(&ann(), State::Active).await.iter().map(text).collect::<Vec<_>>(), [says]);
        }
        assert_eq!(scene.states(fact).await, [(2, State::Active), (1, State::Superseded)]);
        assert_eq!(scene.memory.counts(&ann()).await.unwrap()[&State::Superseded], 1);
    }

    async fn when_the_last_one_ends_nothing_older_comes_back(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        let next = json!({"fact": fact, "content": {"text": "coffee"},
            "validFrom": "2026-11-02T10:00:00Z", "validUntil": "2026-11-03T10:00:00Z"});
        scene.wrote(&ann(), next).await;
        scene.set(time("2026-11-03T10:00:00Z"));
        assert_eq!(readings(&scene, fact).await, [false; 5]);
        assert_eq!(scene.rows(fact).await, [0_u32; 0]);
        assert_eq!(scene.text_at(fact, valid_at(time("2026-11-02T09:00:00Z"))).await.as_deref(), Some("tea"));
        assert_eq!(
            scene.text_at(fact, valid_at(time("2026-11-02T11:00:00Z"))).await.as_deref(),
            Some("coffee")
        );
    }

    // LED-09
    async fn a_clock_that_goes_back_does_not_turn_the_order_round(store: Store) {
        let scene = Scene::on(store).await;
        scene.set(time("2026-11-01T10:05:00Z"));
        let fact = scene.say("tea").await;
        scene.set(time("2026-11-01T10:00:00Z"));
        assert_eq!(scene.text(fact).await, "tea", "what is recorded is there to read");
        scene.change(fact, "coffee").await;
        assert_eq!(
            (scene.text(fact).await, texts(&scene.recall("tea coffee").await)),
            ("coffee".to_owned(), vec!["coffee".to_owned()])
        );
        let revisions = scene.memory.revisions(&ann(), fact, None, 10).await.unwrap();
        assert!(revisions[0].revision.recorded_at > revisions[1].revision.recorded_at);
        let shown = Timestamp::parse_bound("asOf", "2026-11-01T10:05:00Z").unwrap();
        assert_eq!(scene.text_at(fact, as_of(shown)).await.as_deref(), Some("coffee"));
        scene.check().await;
    }

    // LED-09: acts too, however far back it goes
    async fn a_clock_far_behind_can_still_do_everything(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        scene.set(time("2001-01-01T00:00:00Z"));
        scene.change(fact, "coffee").await;
        scene.memory.verify(&ann(), None, fact, None).await.unwrap();
        scene.forget(fact).await;
        scene.memory.restore(&ann(), None, fact, None).await.unwrap();
        assert_eq!((scene.text(fact).await, scene.rows(fact).await), ("coffee".to_owned(), vec![4]));
        assert_eq!(texts(&scene.recall("coffee").await), ["coffee"]);
        scene.check().await;
    }

    // 31
    async fn before_it_was_first_written_a_fact_is_not_found(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&ann(), json!({"validFrom": "2020-01-01T00:00:00Z"})).await.fact;
        refused!(scene.memory.get(&ann(), fact, as_of(after(start(), -1))).await, MemoryError::NotFound);
        assert_eq!(scene.list_at(&ann(), State::Active, as_of(after(start(), -1))).await, []);
        assert!(scene.text_at(fact, as_of(start())).await.is_some());
        assert!(
            scene.text_at(fact, valid_at(time("2020-01-01T00:00:00Z"))).await.is_some(),
            "it was true, as we know now"
        );
        assert_eq!(scene.text_at(fact, valid_at(time("2019-12-31T23:59:59Z"))).await, None);
    }

    // 31, 104
    async fn each_recorded_instant_gives_what_was_current_then(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("version 1").await;
        for version in 2..=6 {
            scene.pass(60 * SECOND);
            scene.change(fact, &format!("version {version}")).await;
        }
        for version in 1..=6_i64 {
            let at = after(start(), (version - 1) * 60 * SECOND);
            let says = Some(format!("version {version}"));
            for instant in [at, after(at, 60 * SECOND - 1)] {
                assert_eq!(scene.text_at(fact, as_of(instant)).await, says, "known {}", instant.exact());
                assert_eq!(scene.text_at(fact, valid_at(instant)).await, says, "valid {}", instant.exact());
                for times in [as_of(instant), valid_at(instant)] {
                    let listed = scene.list_at(&ann(), State::Active, times).await;
                    assert_eq!(
                        listed.iter().map(text).collect::<Vec<_>>(),
                        says.clone().into_iter().collect::<Vec<_>>(),
                        "{times:?}"
                    );
                }
            }
        }
    }

    async fn a_shown_millisecond_covers_what_happened_within_it(store: Store) {
        let scene = Scene::on(store).await;
        scene.set(time("2026-11-01T10:00:00.123456Z"));
        let fact = scene.say("tea").await;
        let shown = scene.get(fact).await.unwrap().revision.recorded_at.to_string();
        assert_eq!(shown, "2026-11-01T10:00:00.123Z");
        assert_eq!(scene.text_at(fact, as_of(time(&shown))).await, None, "as an instant it is before");
        for bound in
            [shown.as_str(), "2026-11-01T10:00:00.1234Z", "2026-11-01T10:00:00Z", "2026-11-01T11:00:00+01:00"]
        {
            let bound = Timestamp::parse_bound("asOf", bound).unwrap();
            assert_eq!(scene.text_at(fact, as_of(bound)).await.as_deref(), Some("tea"));
        }
        let exact = Timestamp::parse_bound("asOf", "2026-11-01T10:00:00.123455Z").unwrap();
        assert_eq!(scene.text_at(fact, as_of(exact)).await, None);
    }

    // LED-04
    async fn times_of_other_shapes_are_ordered_by_instant(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene
            .wrote(&ann(), json!({"content": {"text": "one"}, "validFrom": "2026-10-01T12:00:00+02:00"}))
            .await
            .fact;
        let says = [
            ("two", "2026-10-01T10:00:00.5Z"),
            ("three", "2026-10-01T10:30:00Z"),
            ("four", "2026-10-01T05:45:00-05:00"),
        ];
        for (text, from) in says {
            scene.wrote(&ann(), json!({"fact": fact, "content": {"text": text}, "validFrom": from})).await;
        }
        for (at, says) in [
            ("2026-10-01T10:00:00Z", Some("one")),
            ("2026-10-01T10:00:00.499999Z", Some("one")),
            ("2026-10-01T10:00:00.5Z", Some("two")),
            ("2026-10-01T10:29:59.999999Z", Some("two")),
            ("2026-10-01T12:44:59+02:00", Some("three")),
            ("2026-10-01T10:45:00Z", Some("four")),
            ("2026-10-01T09:59:59.999999Z", None),
        ] {
            assert_eq!(scene.text_at(fact, valid_at(time(at))).await.as_deref(), says, "{at}");
        }
    }

    async fn what_is_recorded_later_about_earlier_is_true_then(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene
            .wrote(&ann(), json!({"content": {"text": "tea"}, "validFrom": "2026-03-01T00:00:00Z"}))
            .await
            .fact;
        let known = scene.pass(DAY);
        scene.pass(DAY);
        scene
            .wrote(
                &ann(),
                json!({"fact": fact, "content": {"text": "coffee"}, "validFrom": "2026-02-01T00:00:00Z"}),
            )
            .await;
        let april = time("2026-04-01T00:00:00Z");
        assert_eq!(scene.text_at(fact, valid_at(april)).await.as_deref(), Some("coffee"));
        let then = Times { as_of: Some(known), valid_at: Some(april) };
        assert_eq!(
            scene.text_at(fact, then).await.as_deref(),
            Some("tea"),
            "what was known then has not changed"
        );
        assert_eq!(
            scene.text_at(fact, valid_at(time("2026-02-15T00:00:00Z"))).await.as_deref(),
            Some("coffee")
        );
        assert_eq!(
            scene
                .text_at(fact, Times { as_of: Some(known), valid_at: Some(time("2026-02-15T00:00:00Z")) })
                .await,
            None
        );
    }

    // design 4, line 3
    async fn what_was_observed_before_is_history_and_never_current(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene
            .wrote(&ann(), json!({"content": {"text": "tea"}, "observedAt": "2026-10-20T00:00:00Z"}))
            .await
            .fact;
        let older =
            json!({"fact": fact, "content": {"text": "coffee"}, "observedAt": "2026-10-19T00:00:00Z"});
        let receipt = scene.wrote(&ann(), older).await;
        assert_eq!((receipt.revision.get(), receipt.outcome), (2, Outcome::History));
        assert_eq!(scene.states(fact).await, [(2, State::Superseded), (1, State::Active)]);
        assert_eq!((scene.text(fact).await, scene.rows(fact).await), ("tea".to_owned(), vec![1]));
        let expecting = json!({"fact": fact, "content": {"text": "water"}, "expectVersion": 1});
        assert_eq!(
            scene.wrote(&ann(), expecting).await.outcome,
            Outcome::Superseded,
            "version 1 is the settled one"
        );
    }

    async fn after_it_is_forgotten_a_fact_was_true_only_as_known_before(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        let while_true = scene.pass(DAY);
        let forgotten = scene.pass(DAY);
        scene.forget(fact).await;
        scene.pass(DAY);
        assert_eq!(scene.text_at(fact, valid_at(while_true)).await, None);
        assert_eq!(scene.text_at(fact, as_of(forgotten)).await, None);
        assert_eq!(scene.text_at(fact, as_of(after(forgotten, -1))).await.as_deref(), Some("tea"));
        let then = Times { as_of: Some(after(forgotten, -1)), valid_at: Some(while_true) };
        assert_eq!(scene.text_at(fact, then).await.as_deref(), Some("tea"));
        scene.memory.restore(&ann(), None, fact, None).await.unwrap();
        assert_eq!(scene.text_at(fact, valid_at(while_true)).await, None, "it is true again from now");
        assert_eq!(scene.text_at(fact, as_of(after(forgotten, -1))).await.as_deref(), Some("tea"));
    }

    // LED-06: in the past as in the present
    async fn a_list_of_the_past_shows_what_had_ended_then(store: Store) {
        let scene = Scene::on(store).await;
        let [kept, changed, gone] = ["kept", "changed", "gone"].map(str::to_owned);
        scene.say(&kept).await;
        let fact = scene.say(&changed).await;
        let lost = scene.say(&gone).await;
        let before = scene.pass(DAY);
        scene.pass(DAY);
        scene.change(fact, "changed again").await;
        scene.forget(lost).await;
        let now = scene.pass(DAY);
        let listed = async |state, at| -> Vec<String> {
            scene.list_at(&ann(), state, as_of(at)).await.iter().rev().map(text).collect()
        };
        assert_eq!(listed(State::Active, before).await, [kept.as_str(), "changed", "gone"]);
        assert_eq!(
            (listed(State::Superseded, before).await, listed(State::Retracted, before).await),
            (vec![], vec![])
        );
        assert_eq!(listed(State::Active, now).await, [kept.as_str(), "changed again"]);
        assert_eq!(
            (listed(State::Superseded, now).await, listed(State::Retracted, now).await),
            (vec![changed], vec![gone])
        );
    }

    // 112
    async fn a_fact_is_kept_for_days_from_its_first_write(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.wrote(&ann(), json!({"retention": {"keepDays": 2}})).await.fact;
        scene.pass(DAY);
        scene.change(fact, "coffee").await;
        let end = after(start(), 2 * DAY);
        for (at, holds) in [(after(end, -1), true), (end, false)] {
            scene.set(at);
            assert_eq!(readings(&scene, fact).await, [holds; 5], "at {}", at.exact());
        }
        assert_eq!(
            scene.states(fact).await,
            [(2, State::Expired), (1, State::Superseded)],
            "its history says so"
        );
        assert_eq!(scene.rows(fact).await, [0_u32; 0]);
    }

    // 112
    async fn a_fact_is_kept_until_the_earlier_of_its_bounds(store: Store) {
        let scene = Scene::on(store).await;
        let keep = json!({"keepDays": 9, "keepUntil": "2026-11-02T10:00:00Z"});
        let fact =
            scene.wrote(&ann(), json!({"retention": keep, "validUntil": "2026-11-05T10:00:00Z"})).await.fact;
        scene.set(after(time("2026-11-02T10:00:00Z"), -1));
        assert_eq!(readings(&scene, fact).await, [true; 5]);
        scene.set(time("2026-11-02T10:00:00Z"));
        assert_eq!(readings(&scene, fact).await, [false; 5]);
    }

    // 112: days count from the first write, so there may be none left
    async fn a_retention_that_would_be_over_before_it_begins_is_refused(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        scene.pass(3 * DAY);
        let late = json!({"fact": fact, "content": {"text": "coffee"}, "retention": {"keepDays": 2}});
        refused!(scene.write(&ann(), late).await, MemoryError::BadInput(bad) if bad.field == "retention");
        let future = json!({"key": "k", "retention": {"keepDays": 2}, "validFrom": "2026-12-01T00:00:00Z"});
        refused!(scene.write(&ann(), future).await, MemoryError::BadInput(bad) if bad.field == "retention");
        assert_eq!(scene.text(fact).await, "tea");
    }

    // rule 12
    async fn an_instant_names_one_position_even_when_the_clock_stands_still(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("version 1").await;
        for version in 2..=5 {
            scene.change(fact, &format!("version {version}")).await;
        }
        let at: Vec<Timestamp> = scene
            .memory
            .revisions(&ann(), fact, None, 10)
            .await
            .unwrap()
            .iter()
            .rev()
            .map(|seen| seen.revision.recorded_at)
            .collect();
        assert_eq!(at, (0..5).map(|micros| after(start(), micros)).collect::<Vec<_>>());
        for (at, version) in at.into_iter().zip(1..) {
            assert_eq!(scene.text_at(fact, as_of(at)).await, Some(format!("version {version}")));
        }
    }
}
