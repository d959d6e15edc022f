//! Who finds what: nobody finds what another may read, whatever is asked.

use fact::{Access, FactId, Reader, Sight};
use truthkeeper_index::Write;

use crate::support::{fact, facts, found, id, on_both, put, query, reader, row};

const SCOPES: [&str; 12] = [
    "tenant",
    "org:o",
    "project:p",
    "user:ann",
    "user:bob",
    "thread:t",
    "org:o/user:ann",
    "project:p/user:ann",
    "project:p/participant:x",
    "project:p/participant:y",
    "project:p/participant:x/thread:t",
    "project:p/thread:t/session:s",
];

fn readers() -> Vec<Reader> {
    let mut readers: Vec<_> = SCOPES.iter().map(|path| reader(path)).collect();
    for sight in [Sight::Admin, Sight::Operator, Sight::Within(Access::default())] {
        readers.push(Reader { tenant: id("local"), sight: sight.clone() });
        readers.push(Reader { tenant: id("acme"), sight });
    }
    let mut people = Access::default();
    people.people_of.insert(id("p"));
    readers.push(Reader { tenant: id("local"), sight: Sight::Within(people) });
    readers
}

#[tokio::test]
async fn each_reader_finds_exactly_what_it_may_read() {
    on_both(|index| async move {
        let mut rows: Vec<_> = (1..).zip(SCOPES).map(|(n, path)| row(n, path, "likes tea")).collect();
        for mut theirs in rows.clone() {
            theirs.scope.tenant = id("acme");
            rows.push(theirs);
        }
        let writes: Vec<_> = rows.iter().cloned().map(Write::put).collect();
        index.replace(&writes).await.unwrap();
        for reader in readers() {
            let mut readable: Vec<FactId> =
                rows.iter().filter(|row| reader.may_read(&row.scope)).map(|row| row.fact).collect();
            readable.sort_by(|a, b| b.cmp(a));
            let mut all = query("tea");
            all.limit = 100;
            let found = index.search(&reader, &all).await.unwrap();
            let found: Vec<_> = found.candidates.iter().map(|candidate| candidate.fact).collect();
            assert_eq!(found, readable, "{reader:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn the_limit_counts_only_what_may_be_read_and_is_wanted() {
    on_both(|index| async move {
        let mut writes: Vec<_> = (1..50).map(|n| put(n, "user:bob", "tea tea tea")).collect();
        let mut other = row(50, "user:ann", "tea tea");
        other.kind = crate::support::kind("other");
        writes.extend([Write::put(other), put(51, "user:ann", "a cup of tea at home")]);
        index.replace(&writes).await.unwrap();
        let mut one = query("tea");
        one.limit = 1;
        one.kinds = vec![crate::support::kind("note")];
        let found = index.search(&reader("user:ann"), &one).await.unwrap();
        assert_eq!(found.candidates.iter().map(|candidate| candidate.fact).collect::<Vec<_>>(), [fact(51)]);
        one.limit = 0;
        assert_eq!(index.search(&reader("user:ann"), &one).await.unwrap().candidates, []);
    })
    .await;
}

#[tokio::test]
async fn a_reader_of_a_thousand_containers_is_served() {
    on_both(|index| async move {
        index.replace(&[put(1, "user:u777", "likes tea"), put(2, "user:bob", "likes tea")]).await.unwrap();
        let mut access = Access::default();
        access.users.extend((0..999).map(|n| id(&format!("u{n}"))));
        let many = Reader { tenant: id("local"), sight: Sight::Within(access) }.check().unwrap();
        assert_eq!(facts(&index, &many, "tea").await, [fact(1)]);
    })
    .await;
}

#[tokio::test]
async fn twenty_thousand_rows_of_others_change_no_order_and_no_score() {
    on_both(|index| async move {
        let words = ["tea", "milk", "cup", "home", "green"];
        let text = |n: u128| -> String {
            let picked = words.iter().zip([1, 2, 3, 5, 7]).filter(|(_, step)| n.is_multiple_of(*step));
            picked.map(|(word, _)| format!("{word} ")).collect()
        };
        let mine: Vec<_> = (1..100).map(|n| put(n, "user:ann", &text(n))).collect();
        index.replace(&mine).await.unwrap();
        let ann = reader("user:ann");
        let before = found(&index, &ann, "green tea at home").await;
        let theirs: Vec<_> = (1_000..21_000)
            .map(|n| put(n, &format!("user:u{}", n % 90), &text(n % 31 + 1).repeat(3)))
            .collect();
        index.replace(&theirs).await.unwrap();
        assert_eq!(before.len(), 10);
        assert_eq!(found(&index, &ann, "green tea at home").await, before);
    })
    .await;
}
