//! The nearest by meaning: exact, within what the reader may read, by one model, and gone with the content.

use fact::{Reader, Sight};
use truthkeeper_index::{Nearest, Vectors, Write};

use crate::support::{fact, id, on_both, put, reader, remove, row};

const MODEL: &str = "model one";
const OTHER: &str = "model two";

/// A row whose text means `pieces`.
fn meaning(number: u128, path: &str, text: &str, pieces: &[[f32; 2]]) -> Write {
    meaning_by(&[MODEL], number, path, text, pieces)
}

/// The same by each of these models.
fn meaning_by(models: &[&str], number: u128, path: &str, text: &str, pieces: &[[f32; 2]]) -> Write {
    let pieces: Vec<Vec<f32>> = pieces.iter().map(|piece| piece.to_vec()).collect();
    let vectors = models.iter().map(|model| Vectors { model: (*model).to_owned(), pieces: pieces.clone() });
    Write::put(truthkeeper_index::Row { vectors: vectors.collect(), ..row(number, path, text) })
}

fn towards(x: f32, y: f32) -> Nearest {
    let text = fact::Text::stored(String::new());
    Nearest { text, model: MODEL.to_owned(), vector: vec![x, y], kinds: Vec::new(), limit: 10 }
}

#[tokio::test]
async fn the_nearest_are_found_among_what_may_be_read() {
    on_both(|index| async move {
        index
            .replace(&[
                meaning(1, "user:ann", "tea", &[[1.0, 0.0]]),
                meaning(2, "user:ann", "coffee", &[[0.0, 1.0], [0.8, 0.6]]),
                meaning(3, "user:bob", "more tea", &[[1.0, 0.0]]),
            ])
            .await
            .unwrap();
        let found = async |who: &Reader, query: &Nearest| {
            let found = index.nearest(who, query).await.unwrap().candidates;
            found.into_iter().map(|one| (one.fact, (one.score * 10.0).round())).collect::<Vec<_>>()
        };
        let ann = reader("user:ann");
        assert_eq!(found(&ann, &towards(1.0, 0.0)).await, [(fact(1), 10.0), (fact(2), 8.0)]);
        assert_eq!(found(&ann, &towards(0.0, 1.0)).await, [(fact(2), 10.0), (fact(1), 0.0)]);
        let all = Reader { tenant: id("local"), sight: Sight::Admin };
        let near = Nearest { limit: 2, ..towards(1.0, 0.0) };
        assert_eq!(found(&all, &near).await, [(fact(3), 10.0), (fact(1), 10.0)]);
        let other = Nearest { model: OTHER.to_owned(), ..towards(1.0, 0.0) };
        assert_eq!(found(&all, &other).await, []);
    })
    .await;
}

#[tokio::test]
async fn what_changes_is_seen_by_the_next_search() {
    on_both(|index| async move {
        let ann = reader("user:ann");
        let facts = async || {
            let found = index.nearest(&ann, &towards(1.0, 0.0)).await.unwrap().candidates;
            found.into_iter().map(|one| one.fact).collect::<Vec<_>>()
        };
        assert_eq!(facts().await, []);
        index.replace(&[meaning(1, "user:ann", "tea", &[[1.0, 0.0]])]).await.unwrap();
        assert_eq!(facts().await, [fact(1)]);
        index.replace(&[meaning(2, "user:ann", "coffee", &[[0.0, 1.0]])]).await.unwrap();
        assert_eq!(facts().await, [fact(1), fact(2)]);
        index.replace(&[remove(1)]).await.unwrap();
        assert_eq!(facts().await, [fact(2)]);
        // A scope that was forgotten and comes again is another one.
        index.replace(&[remove(2)]).await.unwrap();
        index.replace(&[meaning(3, "user:ann", "milk", &[[0.0, 1.0]])]).await.unwrap();
        assert_eq!(facts().await, [fact(3)]);
    })
    .await;
}

#[tokio::test]
async fn a_meaning_goes_with_the_last_row_of_its_content() {
    on_both(|index| async move {
        let known =
            async |number: u128| index.embedded(MODEL, &[format!("digest of {number}")]).await.unwrap()[0];
        let same = |number: u128| {
            let mut row = row(number, "user:ann", "tea");
            row.digest = "digest of 1".to_owned();
            row
        };
        index.replace(&[meaning(1, "user:ann", "tea", &[[1.0, 0.0]])]).await.unwrap();
        assert!(known(1).await && !known(2).await);
        assert!(!index.embedded("model two", &["digest of 1".to_owned()]).await.unwrap()[0]);
        // Another fact with the same content needs no vectors of its own.
        index.replace(&[Write::put(same(2))]).await.unwrap();
        assert_eq!(index.nearest(&reader("user:ann"), &towards(1.0, 0.0)).await.unwrap().candidates.len(), 2);
        index.replace(&[remove(1)]).await.unwrap();
        assert!(known(1).await);
        index.replace(&[Write::put(same(2)), remove(2)]).await.unwrap();
        assert!(!known(1).await);
    })
    .await;
}

#[tokio::test]
async fn the_meaning_of_content_is_given_piece_by_piece() {
    on_both(|index| async move {
        let pieces = [[0.0, 1.0], [0.8, 0.6]];
        index.replace(&[meaning(1, "user:ann", "coffee", &pieces), put(2, "user:ann", "tea")]).await.unwrap();
        let digests = [2, 1, 3].map(|number| format!("digest of {number}"));
        let meant = async |model| index.vectors(model, &digests).await.unwrap();
        assert_eq!(meant(MODEL).await, [vec![], pieces.map(|piece| piece.to_vec()).to_vec(), vec![]]);
        assert_eq!(meant(OTHER).await, [const { Vec::<Vec<f32>>::new() }; 3]);
    })
    .await;
}

#[tokio::test]
async fn a_model_takes_over_once_every_row_has_its_vectors() {
    on_both(|index| async move {
        let all = Reader { tenant: id("local"), sight: Sight::Admin };
        let by = async |model: &str| {
            let query = Nearest { model: model.to_owned(), ..towards(1.0, 0.0) };
            index.nearest(&all, &query).await.unwrap().candidates.len()
        };
        assert_eq!(index.serving().await.unwrap(), None);
        let [tea, coffee] = [(1, "user:ann", "tea"), (2, "user:bob", "coffee")];
        index.replace(&[meaning(tea.0, tea.1, tea.2, &[[1.0, 0.0]])]).await.unwrap();
        let both = meaning_by(&[MODEL, OTHER], coffee.0, coffee.1, coffee.2, &[[0.0, 1.0]]);
        index.replace(&[both]).await.unwrap();
        assert_eq!(index.serving().await.unwrap().as_deref(), Some(MODEL), "the first there was");
        assert!(!index.serve(OTHER).await.unwrap(), "tea would be lost");
        assert_eq!((by(MODEL).await, by(OTHER).await), (2, 1));
        let by_other = meaning_by(&[OTHER], tea.0, tea.1, tea.2, &[[1.0, 0.0]]);
        index.replace(&[by_other]).await.unwrap();
        assert_eq!((by(MODEL).await, by(OTHER).await), (2, 2), "side by side");
        assert!(index.serve(OTHER).await.unwrap());
        assert!(index.serve(OTHER).await.unwrap(), "again");
        assert_eq!(index.serving().await.unwrap().as_deref(), Some(OTHER));
        assert_eq!((by(MODEL).await, by(OTHER).await), (0, 2));
    })
    .await;
}
