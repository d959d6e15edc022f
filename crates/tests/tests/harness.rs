//! The harness itself: each store is empty, on the engine it says, and gone when it is dropped.

use sqlx::{Connection, PgConnection};
use truthkeeper_tests::{Engine, Store, engines, on_both_engines};

on_both_engines! {
    async fn two_stores_share_nothing(store: Store) {
        let other = Store::on(store.engine());
        assert_ne!(store.address, other.address);
        assert_ne!(store.index_address(), other.index_address());
        assert_ne!(store.folder(), other.folder());
    }
}

#[tokio::test]
async fn a_database_goes_away_with_its_store_though_somebody_is_connected() {
    if !engines().contains(&Engine::Postgres) {
        return;
    }
    let store = Store::on(Engine::Postgres);
    let address = store.address.clone();
    let mut connection = PgConnection::connect(&address).await.unwrap();
    let tables: i64 = sqlx::query_scalar("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        .fetch_one(&mut connection)
        .await
        .unwrap();
    assert_eq!(tables, 0);
    drop(store);
    assert!(connection.ping().await.is_err());
    let ours = std::env::var("TRUTHKEEPER_POSTGRES_OURS").is_ok_and(|ours| ours == "1");
    assert!(ours || PgConnection::connect(&address).await.is_err());
}

#[tokio::test]
async fn a_database_that_is_used_again_is_as_a_new_one() {
    if !engines().contains(&Engine::Postgres) {
        return;
    }
    for _ in 0..2 {
        let store = Store::on(Engine::Postgres);
        let mut connection = PgConnection::connect(&store.address).await.unwrap();
        let made = "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
                    WHERE n.nspname !~ '^(pg_|information_schema)'";
        let tables: i64 = sqlx::query_scalar(made).fetch_one(&mut connection).await.unwrap();
        assert_eq!(tables, 0);
        for statement in [
            "CREATE TABLE left_over (a TEXT)",
            "CREATE SCHEMA also_left",
            "CREATE TABLE also_left.t (a TEXT)",
        ] {
            sqlx::query(statement).execute(&mut connection).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_file_goes_away_with_its_store() {
    let store = Store::sqlite();
    std::fs::write(&store.address, b"").unwrap();
    let folder = store.folder().to_owned();
    drop(store);
    assert!(!folder.exists());
}
