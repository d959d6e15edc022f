//! What a write makes of the rows.

use fact::{Reader, RevisionNumber, Sight};
use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;
use truthkeeper_index::{IndexError, Source, Write};

use crate::support::{Folder, fact, facts, found, id, on_both, put, reader, remove, row, scope};

#[tokio::test]
async fn a_fact_has_one_row_however_often_it_is_put() {
    on_both(|index| async move {
        let ann = reader("user:ann");
        let writes = [put(1, "user:ann", "likes tea"), put(1, "user:ann", "likes tea")];
        index.replace(&writes).await.unwrap();
        let once = found(&index, &ann, "tea").await;
        index.replace(&writes).await.unwrap();
        assert_eq!(found(&index, &ann, "tea").await, once);
        let rows = index.rows(&id("local"), fact(1)).await.unwrap();
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].digest, "digest of 1");
    })
    .await;
}

#[tokio::test]
async fn a_new_revision_takes_the_place_of_the_one_before() {
    on_both(|index| async move {
        let ann = reader("user:ann");
        index.replace(&[put(1, "user:ann", "likes tea")]).await.unwrap();
        let mut second = row(1, "user:ann", "likes coffee");
        second.revision = RevisionNumber::FIRST.next();
        second.digest = "another".to_owned();
        index.replace(&[Write::put(second)]).await.unwrap();
        assert_eq!(facts(&index, &ann, "tea").await, []);
        assert_eq!(found(&index, &ann, "coffee").await[0].revision.get(), 2);
        let rows = index.rows(&id("local"), fact(1)).await.unwrap();
        assert_eq!((rows[0].revision.get(), rows[0].digest.as_str()), (2, "another"));
    })
    .await;
}

#[tokio::test]
async fn a_late_writer_overwrites_nothing_that_came_before_it() {
    on_both(|index| async move {
        let key = [(id("local"), fact(1))];
        let version = async || index.versions(Source::Fact, &key).await.unwrap()[0];
        let unwritten = version().await;
        let rows = async || index.rows(&key[0].0, key[0].1).await.unwrap().len();
        assert_eq!(index.replace(&[put(1, "user:ann", "likes tea").after(unwritten)]).await.unwrap(), [true]);
        assert_eq!(
            index.replace(&[put(1, "user:ann", "likes milk").after(unwritten)]).await.unwrap(),
            [false]
        );
        assert_eq!(index.replace(&[remove(1).after(unwritten)]).await.unwrap(), [false]);
        let written = version().await;
        assert_eq!(
            index.replace(&[remove(1).after(written), put(2, "user:ann", "tea")]).await.unwrap(),
            [true, true]
        );
        // A removal of what is not there counts too.
        let removed = version().await;
        assert_eq!(index.replace(&[remove(1)]).await.unwrap(), [true]);
        assert_eq!(index.replace(&[put(1, "user:ann", "tea").after(removed)]).await.unwrap(), [false]);
        assert_eq!(rows().await, 0);
    })
    .await;
}

#[tokio::test]
async fn what_is_removed_is_gone_and_may_be_removed_again() {
    on_both(|index| async move {
        index.replace(&[put(1, "user:ann", "likes tea")]).await.unwrap();
        index.replace(&[remove(1), remove(1), remove(2)]).await.unwrap();
        assert_eq!(facts(&index, &reader("user:ann"), "tea").await, []);
        assert_eq!(index.rows(&id("local"), fact(1)).await.unwrap(), []);
    })
    .await;
}

#[tokio::test]
async fn a_fact_of_another_tenant_with_the_same_id_is_another_row() {
    on_both(|index| async move {
        let mut theirs = row(1, "user:ann", "likes tea");
        theirs.scope.tenant = id("acme");
        index.replace(&[put(1, "user:ann", "likes tea"), Write::put(theirs)]).await.unwrap();
        index.replace(&[remove(1)]).await.unwrap();
        assert_eq!(index.rows(&id("local"), fact(1)).await.unwrap(), []);
        assert_eq!(index.rows(&id("acme"), fact(1)).await.unwrap().len(), 1);
        let admin = Reader { tenant: id("local"), sight: Sight::Admin };
        assert_eq!(facts(&index, &admin, "tea").await, []);
    })
    .await;
}

#[tokio::test]
async fn a_row_that_is_put_again_has_its_own_words() {
    let folder = Folder::new();
    let index = truthkeeper_index::open(&folder.file());
    let ann = reader("user:ann");
    let tea = [put(1, "user:ann", "likes tea")];
    for damage in [
        "UPDATE words SET terms = 'wmilk'",
        "UPDATE words SET readers = 'nobody'",
        "DELETE FROM words",
        "DELETE FROM entries",
    ] {
        index.replace(&tea).await.unwrap();
        let mut raw = SqliteConnectOptions::new().filename(folder.file()).connect().await.unwrap();
        sqlx::raw_sql(damage).execute(&mut raw).await.unwrap();
        index.replace(&tea).await.unwrap();
        assert_eq!(facts(&index, &ann, "tea").await, [fact(1)], "{damage}");
        assert_eq!(facts(&index, &ann, "milk").await, [], "{damage}");
    }
}

#[tokio::test]
async fn one_refused_write_undoes_the_others() {
    on_both(|index| async move {
        index.replace(&[put(1, "user:ann", "likes tea")]).await.unwrap();
        // More distinct words than PostgreSQL takes in one row; SQLite takes them.
        let many: String = (0..120_000).map(|n| format!("word{n} ")).collect();
        match index.replace(&[remove(1), put(2, "user:ann", &many)]).await {
            Ok(_) => assert_eq!(index.rows(&id("local"), fact(2)).await.unwrap().len(), 1),
            Err(error) => {
                assert!(matches!(error, IndexError::Refused(_)), "{error}");
                assert!(!error.to_string().contains("word1"));
                assert_eq!(facts(&index, &reader("user:ann"), "tea").await, [fact(1)]);
            }
        }
        index.replace(&[put(3, "user:ann", "likes milk")]).await.unwrap();
        assert_eq!(facts(&index, &reader("user:ann"), "milk").await, [fact(3)]);
    })
    .await;
}

#[tokio::test]
async fn the_longest_scope_is_stored() {
    on_both(|index| async move {
        let long = id(&"漢".repeat(128));
        let mut row = row(1, "tenant", "likes tea");
        row.scope = scope("tenant");
        for slot in [&mut row.scope.org, &mut row.scope.project, &mut row.scope.user] {
            *slot = Some(long.clone());
        }
        row.scope.participant = Some(long.clone());
        row.scope.thread = Some(long);
        index.replace(&[Write::put(row)]).await.unwrap();
        assert_eq!(index.rows(&id("local"), fact(1)).await.unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn writers_at_the_same_time_wait_for_each_other() {
    on_both(|index| async move {
        let writers = (0..8_u128).map(|writer| {
            let index = index.clone();
            tokio::spawn(async move {
                for turn in 0..10_u128 {
                    let number = writer * 100 + turn;
                    let owners = [format!("user:u{}", turn % 3), format!("user:u{}", (turn + writer) % 3)];
                    let writes =
                        [put(number, &owners[0], "likes tea"), put(number + 50, &owners[1], "likes tea")];
                    index.replace(&writes).await.unwrap();
                }
            })
        });
        for writer in writers.collect::<Vec<_>>() {
            writer.await.unwrap();
        }
        let admin = Reader { tenant: id("local"), sight: Sight::Operator };
        let mut all = crate::support::query("tea");
        all.limit = 1_000;
        assert_eq!(index.search(&admin, &all).await.unwrap().candidates.len(), 160);
    })
    .await;
}

#[tokio::test]
async fn a_row_keeps_its_number_and_no_other_fact_gets_it() {
    let folder = Folder::new();
    let index = truthkeeper_index::open(&folder.file());
    index.replace(&[]).await.unwrap();
    let options = SqliteConnectOptions::new().filename(folder.file());
    let mut file = options.connect().await.unwrap();
    let mut numbers = Vec::new();
    for write in [put(1, "user:ann", "tea"), put(1, "user:bob", "milk"), remove(1), put(2, "user:ann", "tea")]
    {
        index.replace(&[write]).await.unwrap();
        let number: Option<i64> =
            sqlx::query_scalar("SELECT id FROM entries").fetch_optional(&mut file).await.unwrap();
        numbers.push(number);
    }
    assert_eq!(numbers, [Some(1), Some(1), None, Some(2)]);
}
