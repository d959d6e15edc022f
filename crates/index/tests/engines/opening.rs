//! Opening: by several at once, of what is there already, and of what is no index.

use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;
use truthkeeper_index::{IndexError, Source};

use crate::support::{Folder, at_both, fact, facts, put, reader};

/// What the first use of an index comes to that cannot be opened.
async fn refusal(address: &str) -> IndexError {
    truthkeeper_index::open(address).versions(Source::Fact, &[]).await.unwrap_err()
}

#[tokio::test]
async fn an_index_is_opened_once_it_can_be() {
    let folder = Folder::new();
    let path = folder.0.join("later");
    let index = truthkeeper_index::open(path.join("index.db").to_str().unwrap());
    assert!(matches!(index.versions(Source::Fact, &[]).await, Err(IndexError::Unreachable(_))));
    std::fs::create_dir(&path).unwrap();
    assert_eq!(index.replace(&[put(1, "user:ann", "likes tea")]).await, Ok(vec![true]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_open_a_new_index_at_once() {
    at_both(|address| async move {
        let opened = (0..8).map(|_| {
            let address = address.clone();
            tokio::spawn(async move {
                let index = truthkeeper_index::open(&address);
                index.versions(Source::Fact, &[]).await.unwrap();
                index
            })
        });
        for (number, index) in (1..).zip(opened.collect::<Vec<_>>()) {
            let index = index.await.unwrap();
            index.replace(&[put(number, "user:ann", "likes tea")]).await.unwrap();
        }
        let index = truthkeeper_index::open(&address);
        assert_eq!(facts(&index, &reader("user:ann"), "tea").await.len(), 8);
    })
    .await;
}

#[tokio::test]
async fn what_one_writes_another_finds() {
    at_both(|address| async move {
        let (first, second) = (truthkeeper_index::open(&address), truthkeeper_index::open(&address));
        first.replace(&[put(1, "user:ann", "likes tea")]).await.unwrap();
        assert_eq!(facts(&second, &reader("user:ann"), "tea").await, [fact(1)]);
    })
    .await;
}

#[tokio::test]
async fn a_file_that_is_no_index_is_refused_as_it_is() {
    let folder = Folder::new();
    std::fs::write(
        folder.file(),
        "not a database, but long enough to be read as the head of one ".repeat(20),
    )
    .unwrap();
    let error = refusal(&folder.file()).await;
    assert!(matches!(error, IndexError::Corrupt(_)), "{error}");
}

#[tokio::test]
async fn a_folder_that_is_missing_cannot_be_reached() {
    let folder = Folder::new();
    let error = refusal(&format!("{}/none/index.db", folder.0.display())).await;
    assert!(matches!(error, IndexError::Unreachable(_)), "{error}");
}

#[tokio::test]
async fn a_server_that_is_not_there_cannot_be_reached() {
    let error = refusal("postgres://nobody@127.0.0.1:1/none").await;
    assert!(matches!(error, IndexError::Unreachable(_)), "{error}");
}

#[tokio::test]
async fn another_database_is_refused_and_left_as_it_is() {
    let folder = Folder::new();
    let options = SqliteConnectOptions::new().filename(folder.file()).create_if_missing(true);
    let mut other = options.connect().await.unwrap();
    sqlx::raw_sql("CREATE TABLE ledger (event TEXT)").execute(&mut other).await.unwrap();
    let error = refusal(&folder.file()).await;
    assert_eq!(error, IndexError::OtherForm { found: 0 });
    let tables: i64 =
        sqlx::query_scalar("SELECT count(*) FROM sqlite_schema").fetch_one(&mut other).await.unwrap();
    assert_eq!(tables, 1);
    sqlx::raw_sql("DROP TABLE ledger; PRAGMA application_id = 0x54724b49; PRAGMA user_version = 99")
        .execute(&mut other)
        .await
        .unwrap();
    let error = refusal(&folder.file()).await;
    assert_eq!(error, IndexError::OtherForm { found: 99 });
}
