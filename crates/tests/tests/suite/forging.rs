//! Whoever can also compute digests: what the chain still shows, and what only the anchor does.

use fact::hex;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use sqlx::any::AnyRow;
use sqlx::{Connection as _, Row as _};
use truthkeeper::{Fault, MemoryError, Position, TransferError};
use truthkeeper_tests::{Engine, Store, on_both_engines};

use super::raw;
use super::scene::{Scene, ann, refused};

/// The digest of an event as it now stands: every field, each with its length.
fn digest(row: &AnyRow) -> Vec<u8> {
    let (request, commitment): (Option<String>, Option<Vec<u8>>) =
        (row.get("request"), row.get("commitment"));
    let text = |name: &str| row.get::<String, _>(name).into_bytes();
    let number = |name: &str| row.get::<i64, _>(name).to_be_bytes().to_vec();
    let fields = [
        b"truthkeeper event 1".to_vec(),
        row.get("previous"),
        text("tenant"),
        number("position"),
        text("fact"),
        number("revision"),
        number("version"),
        text("body"),
        text("actor"),
        number("recorded_at"),
        vec![u8::from(request.is_some())],
        request.unwrap_or_default().into_bytes(),
        vec![u8::from(commitment.is_some())],
        commitment.unwrap_or_default(),
    ];
    let mut hash = Sha256::new();
    for field in fields {
        hash.update(field.len().to_be_bytes());
        hash.update(field);
    }
    hash.finalize().to_vec()
}

fn literal(engine: Engine, bytes: &[u8]) -> String {
    match engine {
        Engine::Sqlite => format!("X'{}'", hex(bytes)),
        Engine::Postgres => format!("'\\x{}'::bytea", hex(bytes)),
    }
}

/// Changes an event, and gives it and all that follow it, tip included, digests that fit.
async fn forge(scene: &Scene, position: i64, change: &str) {
    let (store, engine) = (&scene.store, scene.store.engine());
    raw::run(store, &format!("UPDATE events SET {change} WHERE position = {position}")).await;
    let last = i64::try_from(scene.events().await).unwrap();
    for at in position..=last {
        let mut connection = raw::connect(store).await;
        let row = sqlx::query("SELECT * FROM events WHERE position = $1").bind(at);
        let digest = literal(engine, &digest(&row.fetch_one(&mut connection).await.unwrap()));
        connection.close().await.unwrap();
        raw::run(store, &format!("UPDATE events SET digest = {digest} WHERE position = {at}")).await;
        if at < last {
            raw::run(store, &format!("UPDATE events SET previous = {digest} WHERE position = {at} + 1"))
                .await;
        } else {
            raw::run(store, &format!("UPDATE tenants SET digest = {digest}")).await;
        }
    }
}

/// A fact that was changed twice, and whoever will.
async fn open_to_forgers(store: Store) -> Scene {
    let scene = Scene::on(store).await;
    let fact = scene.say("tea").await;
    scene.change(fact, "coffee").await;
    scene.change(fact, "water").await;
    raw::disarm(&scene.store).await;
    scene
}

async fn faults(scene: &Scene) -> Vec<Fault> {
    scene.memory.check(|_| {}).await.unwrap().problems.into_iter().map(|problem| problem.fault).collect()
}

/// What a dump of the forged ledger comes to in an empty one.
async fn moved(scene: &Scene) -> Result<u64, MemoryError> {
    let mut lines = Vec::new();
    let take = |line: &str| {
        lines.push(Ok(line.to_owned()));
        Ok(())
    };
    scene.memory.dump(take, |_| {}).await.unwrap();
    let empty = Scene::on(Store::on(scene.store.engine())).await;
    let loaded = empty.memory.load(lines.into_iter(), |_| {}).await;
    assert_eq!(loaded.is_err(), empty.events().await == 0);
    loaded
}

on_both_engines! {
    async fn digests_are_computed_as_the_ledger_does(store: Store) {
        let scene = open_to_forgers(store).await;
        let before = raw::image(&scene.store, &["events", "tenants"]).await;
        forge(&scene, 1, "version = version").await;
        assert_eq!(raw::image(&scene.store, &["events", "tenants"]).await, before);
    }

    async fn an_event_of_an_earlier_time_is_found(store: Store) {
        let scene = open_to_forgers(store).await;
        forge(&scene, 2, "recorded_at = 1").await;
        let found = faults(&scene).await;
        assert!(found.contains(&Fault::TimeBack(Position::new(2))), "{found:?}");
        refused!(moved(&scene).await, MemoryError::Transfer(TransferError::BadLine { .. }));
    }

    async fn an_event_that_follows_another_one_is_found(store: Store) {
        let scene = open_to_forgers(store).await;
        forge(&scene, 2, "previous = commitment").await;
        let found = faults(&scene).await;
        assert_eq!(found, [Fault::ChainBroken(Position::new(2))]);
        refused!(moved(&scene).await, MemoryError::Transfer(TransferError::BadLine { .. }));
    }

    async fn an_event_that_is_not_possible_is_found(store: Store) {
        let scene = open_to_forgers(store).await;
        forge(&scene, 2, "revision = 7, body = REPLACE(body, '\"revision\":2', '\"revision\":7')").await;
        let found = faults(&scene).await;
        assert!(
            found.iter().any(|fault| matches!(fault, Fault::Impossible(what) if what.contains("event 2"))),
            "{found:?}"
        );
        refused!(moved(&scene).await, MemoryError::Transfer(TransferError::BadLine { .. }));
    }

    async fn words_whose_promise_was_taken_away_are_found(store: Store) {
        let scene = open_to_forgers(store).await;
        forge(&scene, 2, "commitment = NULL").await;
        assert!(!faults(&scene).await.is_empty());
        scene.memory.dump(|_| Ok(()), |_| {}).await.unwrap_err();
    }

    /// No chain can see it. The anchor that is kept outside the file can.
    async fn who_forges_all_of_it_is_found_by_the_anchor_alone(store: Store) {
        let scene = open_to_forgers(store).await;
        let anchor = scene.memory.check(|_| {}).await.unwrap().chains;
        forge(&scene, 2, "actor = REPLACE(actor, 'ann', 'bob')").await;
        assert_eq!(faults(&scene).await, []);
        let forged = scene.memory.check(|_| {}).await.unwrap().chains;
        assert_eq!(forged[0].position, anchor[0].position);
        assert_ne!(forged[0].digest, anchor[0].digest);
        let shown = json!(scene.list(&ann(), truthkeeper::State::Superseded).await[0].revision.actor);
        assert_eq!(shown["id"], "bob");
    }
}
