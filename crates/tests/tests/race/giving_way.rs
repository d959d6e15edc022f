//! Two that wait for each other on a server: who has to give way tries again, and nobody is told.

use serde_json::json;
use sqlx::any::install_default_drivers;
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _};
use truthkeeper::{Draft, Memory, Timestamp};
use truthkeeper_tests::{Store, script};

/// So long that the memory waits for the work order by then, and so short that PostgreSQL has not looked for a
/// deadlock yet, which it does after a second.
const HEAD_START: std::time::Duration = std::time::Duration::from_millis(300);

async fn run(connection: &mut AnyConnection, sql: String) -> Result<u64, sqlx::Error> {
    Ok(sqlx::query(AssertSqlSafe(sql)).execute(connection).await?.rows_affected())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_that_has_to_give_way_is_made_all_the_same() {
    let Some(store) = Store::postgres() else { return };
    let memory = Memory::open(&store.address).await.unwrap();
    let caller = script::caller().unwrap();
    let first = Draft {
        kind: Some("acme.common".to_owned()),
        content: Some(json!("said first")),
        // Its end keeps its work order, which the other one holds.
        valid_until: Some(Timestamp::parse("time", "2100-01-01T00:00:00Z").unwrap()),
        ..Draft::default()
    };
    let fact = memory.remember(&caller, None, first).await.unwrap().fact;
    install_default_drivers();
    let mut other = AnyConnection::connect(&store.address).await.unwrap();
    run(&mut other, "BEGIN".to_owned()).await.unwrap();
    let order = format!("UPDATE operations SET due_at = due_at WHERE fact = '{fact}'");
    assert_eq!(run(&mut other, order).await.unwrap(), 1);
    let next = Draft { fact: Some(fact), content: Some(json!("said next")), ..Draft::default() };
    let changed = tokio::spawn({
        let (memory, caller) = (memory.clone(), caller.clone());
        async move { memory.remember(&caller, None, next).await }
    });
    tokio::time::sleep(HEAD_START).await;
    // PostgreSQL lets one of the two go on; this one is of no matter.
    let undone = run(&mut other, "UPDATE tenants SET position = position".to_owned()).await;
    run(&mut other, "ROLLBACK".to_owned()).await.unwrap();
    assert_eq!(changed.await.unwrap().unwrap().revision.get(), 2, "the other came to {undone:?}");
    assert_eq!(memory.check(|_| {}).await.unwrap().problems, []);
}
