//! Opening a store: migrations, several at once, and one SQL text for both engines.

use std::collections::BTreeSet;
use std::path::Path;

use sqlx::{AssertSqlSafe, Executor as _, SqlSafeStr as _};
use truthkeeper::{Memory, MemoryError, OpenError};
use truthkeeper_tests::{Engine, Store, engines, on_both_engines};

use super::raw;
use super::scene::{Scene, ann, refused, says};

/// Every statement of the ledger, by the name of its file.
fn statements() -> Vec<(String, String)> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap();
    let folder = Path::new(&package).join("../ledger/src/sql");
    let mut found = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        found.extend(
            text.split(';').filter(|one| !one.trim().is_empty()).map(|one| (name.clone(), one.to_owned())),
        );
    }
    found
}

/// Every column that the ledger's tables really have, without what PostgreSQL and SQLite call differently.
async fn schema(store: &Store) -> BTreeSet<String> {
    let rows = match store.engine() {
        Engine::Sqlite => {
            "SELECT m.name, c.name, UPPER(c.type), c.\"notnull\"
            FROM sqlite_schema m, pragma_table_info(m.name) c
            WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'"
        }
        Engine::Postgres => {
            "SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT),
            UPPER(CAST(data_type AS TEXT)), CAST(CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END AS BIGINT)
            FROM information_schema.columns WHERE table_schema = 'public'"
        }
    };
    raw::select(store, rows).await.into_iter().map(|row| row.join(" ").replace("BYTEA", "BLOB")).collect()
}

async fn is_refused_as(store: &Store, wanted: &OpenError) {
    match Memory::open(&store.address).await {
        Err(MemoryError::Open(error)) => assert_eq!(&error, wanted),
        Err(error) => panic!("{error:?}"),
        Ok(_) => panic!("it opened"),
    }
}

on_both_engines! {
    async fn every_statement_prepares(store: Store) {
        let scene = Scene::on(store).await;
        let statements = statements();
        assert!(statements.len() > 50, "{}", statements.len());
        for (name, text) in statements {
            let mut connection = raw::connect(&scene.store).await;
            let prepared = connection.prepare(AssertSqlSafe(text).into_sql_str()).await;
            assert!(prepared.is_ok(), "{name}: {:?}", prepared.err());
        }
    }

    // design 4: a newer store is refused with its version
    async fn a_store_of_a_newer_version_is_not_opened(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("tea").await;
        let known: i64 =
            raw::value(&scene.store, "SELECT MAX(number) FROM migrations").await.parse().unwrap();
        raw::run(
            &scene.store,
            &format!("INSERT INTO migrations (number, checksum) VALUES ({}, 'x')", known + 1),
        )
        .await;
        is_refused_as(&scene.store, &OpenError::Newer { found: known + 1, known }).await;
        assert_eq!(raw::value(&scene.store, "SELECT COUNT(*) FROM events").await, "1");
    }

    // LED-19
    async fn a_store_with_a_changed_migration_is_not_opened(store: Store) {
        let scene = Scene::on(store).await;
        raw::run(&scene.store, "UPDATE migrations SET checksum = 'x' WHERE number = 1").await;
        is_refused_as(&scene.store, &OpenError::Changed { number: 1 }).await;
    }

    async fn a_store_whose_migrations_have_a_hole_is_not_opened(store: Store) {
        let scene = Scene::on(store).await;
        raw::run(&scene.store, "UPDATE migrations SET number = 0 WHERE number = 1").await;
        is_refused_as(&scene.store, &OpenError::Changed { number: 0 }).await;
    }

    async fn many_open_a_fresh_store_at_once(store: Store) {
        let tasks: Vec<_> = (0..8)
            .map(|n| {
                let address = store.address.clone();
                tokio::spawn(async move {
                    let memory = Memory::open(&address).await.unwrap();
                    memory
                        .remember(&ann(), None, super::scene::draft(says(&format!("opener {n}"))))
                        .await
                        .unwrap();
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        let scene = Scene::on(store).await;
        assert_eq!(scene.events().await, 8);
        assert_eq!(raw::value(&scene.store, "SELECT COUNT(*) FROM migrations").await, "8");
        scene.check().await;
    }

    async fn a_store_opened_again_is_as_it_was(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        let before = raw::image(&scene.store, &raw::TABLES).await;
        let again = scene.opened_again().await;
        assert_eq!(raw::image(&scene.store, &raw::TABLES).await, before);
        assert_eq!(
            again.get(&ann(), fact, truthkeeper::Times::default()).await.unwrap(),
            scene.get(fact).await.unwrap()
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_engines_make_the_same_tables() {
    let mut schemas = Vec::new();
    for engine in engines() {
        let scene = Scene::on(Store::on(engine)).await;
        schemas.push(schema(&scene.store).await);
    }
    assert!(schemas[0].iter().any(|column| column.starts_with("events body TEXT")), "{:?}", schemas[0]);
    assert_eq!(schemas.first(), schemas.last());
}

#[tokio::test]
async fn what_is_no_store_is_not_opened() {
    let store = Store::sqlite();
    std::fs::write(&store.address, "this is no database, however long it may be ".repeat(200)).unwrap();
    refused!(Memory::open(&store.address).await.map(|_| ()), MemoryError::Open(_));
    let folder = store.folder().to_str().unwrap().to_owned();
    refused!(Memory::open(&folder).await.map(|_| ()), MemoryError::Open(_));
    refused!(Memory::open(&format!("{folder}/nowhere/memory.db")).await.map(|_| ()), MemoryError::Open(_));
    refused!(Memory::open("postgres://nobody@127.0.0.1:1/none").await.map(|_| ()), MemoryError::Open(_));
}

/// A path is a name, not an address: nothing in it is read as syntax.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_may_have_any_name() {
    let store = Store::sqlite();
    for name in [
        "a b.db",
        "a?mode=ro.db",
        "a#b.db",
        "100%.db",
        "%41.db",
        "é 東京.db",
        "sqlite::memory:",
        "a'b\"c.db",
        "noext",
    ] {
        let path = store.folder().join(name);
        let memory =
            Memory::open(path.to_str().unwrap()).await.unwrap_or_else(|error| panic!("{name}: {error}"));
        memory.remember(&ann(), None, super::scene::draft(says("tea"))).await.unwrap();
        assert!(path.is_file(), "{name}");
        let recalled = memory.recall(&ann(), &truthkeeper::Recall::query("tea")).await.unwrap();
        assert_eq!(recalled.facts.len(), 1, "{name}");
    }
    let files = std::fs::read_dir(store.folder())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap());
    let stray: Vec<String> = files
        .filter(|name| !name.contains(".db") && !name.contains("memory:") && !name.contains("noext"))
        .collect();
    assert_eq!(stray, [""; 0]);
}

/// Makes of a store what a version before left: rows without seals.
async fn age(store: &Store) {
    let mut connection = raw::connect(store).await;
    for statement in [
        "DROP TABLE drift_days",
        "DROP TABLE keys",
        "DROP TABLE legacy_rows",
        "DROP TABLE legacy_citations",
        "DROP TABLE adoptions",
        "DROP TABLE adoption_steps",
        "DROP TABLE legacy_gone",
        "DROP INDEX revisions_saying",
        "ALTER TABLE revisions DROP COLUMN says",
        "DROP TABLE settings",
        "DROP TABLE ledger_checks",
        "DELETE FROM migrations WHERE number >= 5",
        "UPDATE facts SET head = SUBSTR(head, 17)",
        "UPDATE truths SET truth = '{}'",
    ] {
        connection.execute(statement).await.unwrap();
    }
}

on_both_engines! {
    async fn a_store_of_the_version_before_is_brought_to_this_one(store: Store) {
        let scene = Scene::on(store).await;
        let fact = scene.say("tea").await;
        scene.change(fact, "coffee").await;
        age(&scene.store).await;
        let memory = scene.opened_again().await;
        assert_eq!(memory.check(|_| {}).await.unwrap().problems, []);
        let recalled = memory.recall(&ann(), &truthkeeper::Recall::query("coffee")).await.unwrap();
        assert_eq!(super::scene::texts(&recalled), ["coffee"]);
    }

    async fn a_damaged_store_of_the_version_before_opens_for_the_check_to_say_so(store: Store) {
        let scene = Scene::on(store).await;
        scene.say("tea").await;
        age(&scene.store).await;
        raw::disarm(&scene.store).await;
        raw::run(&scene.store, "UPDATE events SET body = '{}'").await;
        let memory = scene.opened_again().await;
        assert!(memory.check(|_| {}).await.unwrap().found > 0);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_new_store_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;

    let scene = Scene::on(Store::sqlite()).await;
    scene.say("tea").await;
    for file in [&scene.store.address, &scene.store.index_address()] {
        for end in ["", "-wal", "-shm"] {
            let mode = std::fs::metadata(format!("{file}{end}")).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{file}{end}");
        }
    }
}
