//! What is true when, against the sentence that defines it: whatever was recorded in whatever order.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;
use truthkeeper::{FactId, State, Times, Timestamp};
use truthkeeper_tests::{Store, engines};

use super::scene::{Scene, after, ann, start, time};

const CASES: u32 = 8;
/// Seconds around the start in which everything happens.
const SPAN: i64 = 60;

/// One thing said: how long after the one before, valid from and until when.
#[derive(Debug, Clone)]
struct Said {
    wait: i64,
    from: Option<i64>,
    lasts: Option<i64>,
}

/// What the definition needs to know of a revision.
struct Known {
    number: u32,
    recorded: Timestamp,
    from: Timestamp,
    until: Option<Timestamp>,
}

fn said() -> impl Strategy<Value = Said> {
    (1..10_i64, proptest::option::of(-SPAN..SPAN), proptest::option::of(1..SPAN))
        .prop_map(|(wait, from, lasts)| Said { wait, from, lasts })
}

fn second(seconds: i64) -> Timestamp {
    after(start(), seconds * 1_000_000)
}

/// A revision holds from its start until its own end or the start of any settled revision recorded later;
/// when the last one ends, nothing older comes back.
fn defined(history: &[Known], known: Timestamp, valid: Timestamp) -> Option<u32> {
    let recorded = history.iter().filter(|one| one.recorded <= known);
    let begun = recorded.rev().find(|one| one.from <= valid);
    begun.filter(|one| one.until.is_none_or(|until| valid < until)).map(|one| one.number)
}

async fn write(scene: &Scene, said: &[Said]) -> (FactId, Vec<Known>) {
    let mut fact = None;
    for (step, one) in said.iter().enumerate() {
        scene.pass(one.wait * 1_000_000);
        let from = one.from.map(second);
        let begin = from.unwrap_or(scene.now());
        let until = one.lasts.map(|lasts| after(begin.max(scene.now()), lasts * 1_000_000));
        let mut fields = json!({"content": {"text": format!("said {step}")}});
        if let Some(fact) = fact {
            fields["fact"] = json!(fact);
        }
        fields["validFrom"] = json!(from.map(Timestamp::exact));
        fields["validUntil"] = json!(until.map(Timestamp::exact));
        fact = Some(scene.wrote(&ann(), fields).await.fact);
    }
    let fact = fact.unwrap();
    let revisions = scene.memory.revisions(&ann(), fact, None, 100).await.unwrap();
    let known = revisions.iter().rev().map(|seen| Known {
        number: seen.revision.number.get(),
        recorded: seen.revision.recorded_at,
        from: seen.revision.valid_from(),
        until: seen.revision.saying.valid_until,
    });
    (fact, known.collect())
}

async fn agrees(store: Store, said: &[Said]) {
    let scene = Scene::on(store).await;
    let (fact, history) = write(&scene, said).await;
    scene.set(time("2027-01-01T00:00:00Z"));
    for known in history.iter().flat_map(|one| [one.recorded, after(one.recorded, 999_999)]) {
        for second_of in -SPAN..=SPAN {
            for valid in
                [second(second_of), after(second(second_of), -1)].into_iter().filter(|_| second_of % 7 == 0)
            {
                let times = Times { as_of: Some(known), valid_at: Some(valid) };
                let wanted = defined(&history, known, valid);
                let got =
                    scene.memory.get(&ann(), fact, times).await.ok().map(|seen| seen.revision.number.get());
                assert_eq!(got, wanted, "get known {} valid {}", known.exact(), valid.exact());
                let listed = scene.list_at(&ann(), State::Active, times).await;
                let listed: Vec<u32> = listed.iter().map(|seen| seen.revision.number.get()).collect();
                assert_eq!(
                    listed,
                    wanted.into_iter().collect::<Vec<_>>(),
                    "list known {} valid {}",
                    known.exact(),
                    valid.exact()
                );
            }
        }
    }
    scene.check().await;
}

#[test]
fn what_is_true_when_follows_the_definition() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for engine in engines() {
        let mut runner =
            TestRunner::new(Config { cases: CASES, failure_persistence: None, ..Config::default() });
        let checked = runner.run(&proptest::collection::vec(said(), 1..6), |said| {
            runtime.block_on(agrees(Store::on(engine), &said));
            Ok(())
        });
        checked.unwrap_or_else(|error| panic!("{engine:?}: {error}"));
    }
}
