//! What stands around a text counts for words and for meaning, as far as the reader may read it.

use std::sync::{Arc, Mutex};

use fact::{FactId, Text};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use truthkeeper_index::{
    Around, Matches, Nearby, Nearest, Past, Query, Row, SearchIndex, Span, Vectors, Write,
};

use crate::support::{fact, facts, id, on_both, query, reader, row};

const MODEL: &str = "model";
const QUESTION: &str = "Where does Bob keep my green tea?";

/// A turn of conversation `t`.
fn turn(sequence: u32, speaker: &str) -> Around {
    let (conversation, speaker) = (Some(id("t")), Some(id(speaker)));
    Around { conversation, sequence: Some(sequence), message: None, speaker }
}

fn put(number: u128, path: &str, text: &str, around: Around) -> Write {
    Write::put(Row { around, ..row(number, path, text) })
}

/// The same, and so near to what is asked.
fn near(number: u128, path: &str, text: &str, around: Around, cosine: f32) -> Write {
    Write::put(near_row(number, path, text, around, cosine))
}

fn near_row(number: u128, path: &str, text: &str, around: Around, cosine: f32) -> Row {
    let pieces = vec![vec![cosine, (1.0 - cosine * cosine).sqrt()]];
    let vectors = vec![Vectors { model: MODEL.to_owned(), pieces }];
    Row { around, vectors, ..row(number, path, text) }
}

fn meant(text: &str) -> Nearest {
    let text = Text::stored(text.to_owned());
    Nearest { text, model: MODEL.to_owned(), vector: vec![1.0, 0.0], kinds: Vec::new(), limit: 50 }
}

fn asked(text: &str) -> Query {
    Query { limit: 50, ..query(text) }
}

/// All that ann finds by words and by meaning, to the last bit.
async fn all(index: &Arc<dyn SearchIndex>, text: &str) -> Vec<(FactId, u64)> {
    let ann = reader("user:ann");
    let words = index.search(&ann, &asked(text)).await.unwrap();
    bits(words, index.nearest(&ann, &meant(text)).await.unwrap())
}

fn bits(words: Matches, nearby: Nearby) -> Vec<(FactId, u64)> {
    let scores =
        words.candidates.into_iter().chain(nearby.candidates).map(|one| (one.fact, one.score.to_bits()));
    scores.chain([(fact(0), nearby.usual.to_bits())]).collect()
}

#[tokio::test]
async fn an_answer_is_found_by_its_question() {
    on_both(|index| async move {
        index
            .replace(&[
                near(1, "user:ann", "Where is the tea?", turn(1, "user"), 0.8),
                near(2, "user:ann", "Behind the jar, with the tea", turn(2, "assistant"), 0.1),
                near(3, "user:ann", "Behind the jar, with the tea", turn(9, "assistant"), 0.1),
            ])
            .await
            .unwrap();
        let ann = reader("user:ann");
        let found = index.nearest(&ann, &meant("")).await.unwrap().candidates;
        assert_eq!(found.iter().map(|one| one.fact).collect::<Vec<_>>(), [1, 2, 3].map(fact));
    })
    .await;
}

#[tokio::test]
async fn a_neighbour_has_the_words_that_a_text_lacks() {
    on_both(|index| async move {
        index
            .replace(&[
                put(1, "user:ann", "Which tea?", turn(1, "user")),
                put(2, "user:ann", "The green one", turn(2, "assistant")),
                put(3, "user:ann", "The green one", turn(9, "assistant")),
                put(4, "user:ann/session:s", "The green one", turn(2, "assistant")),
                put(5, "user:ann/project:p", "The green one", turn(2, "assistant")),
            ])
            .await
            .unwrap();
        let found = facts(&index, &reader("user:ann/project:p"), "green tea").await;
        assert_eq!(found[..3], [1, 4, 2].map(fact), "a session narrows nothing, so it stands beside");
        assert_eq!(found[3..], [3, 5].map(fact), "what has the same name in another scope is something else");
    })
    .await;
}

#[tokio::test]
async fn what_the_named_one_said_comes_first() {
    on_both(|index| async move {
        index
            .replace(&[
                put(1, "user:ann", "green tea", turn(1, "user")),
                put(2, "user:ann", "green tea", turn(9, "assistant")),
                put(3, "user:ann", "green tea", turn(20, "Bob")),
            ])
            .await
            .unwrap();
        let ann = reader("user:ann");
        for (asked, first) in [("my green tea", 1), ("the assistant's tea", 2), ("Bob's tea", 3)] {
            assert_eq!(facts(&index, &ann, asked).await[0], fact(first), "{asked}");
        }
        assert_eq!(facts(&index, &ann, "my tea, Bob").await, [3, 2, 1].map(fact), "two are nobody");
    })
    .await;
}

#[tokio::test]
async fn another_place_of_the_same_text_is_seen_at_once() {
    on_both(|index| async move {
        let ann = reader("user:ann");
        let second = |sequence| near(2, "user:ann", "green", turn(sequence, "user"), 0.1);
        index.replace(&[near(1, "user:ann", "tea", turn(1, "user"), 0.9), second(9)]).await.unwrap();
        let before = all(&index, "green tea").await;
        index.replace(&[second(2)]).await.unwrap();
        let after = all(&index, "green tea").await;
        assert!(before.iter().zip(&after).all(|(before, after)| before.0 == after.0 || before.1 != after.1));
        assert_ne!(before, after);
        let [key] = index.rows(&ann.tenant, fact(2)).await.unwrap().try_into().unwrap();
        assert_eq!(key.around, turn(2, "user"));
        let span = Span { tenant: ann.tenant, owner: None, after: None, until: None, model: None };
        let listed = index.entries(&span).await.unwrap();
        assert_eq!(
            listed.iter().map(|entry| entry.key.around.clone()).collect::<Vec<_>>(),
            [1, 2].map(|at| turn(at, "user"))
        );
    })
    .await;
}

/// Any place, with names that others use too.
fn any_around() -> impl Strategy<Value = Around> {
    let name = |names: &'static [&'static str]| prop::option::of(prop::sample::select(names).prop_map(id));
    let names =
        (name(&["t", "u"]), prop::option::of(0_u32..6), name(&["m", "n"]), name(&["user", "Bob", "ann"]));
    names.prop_map(|(conversation, sequence, message, speaker)| Around {
        conversation,
        sequence,
        message,
        speaker,
    })
}

/// Rows of one owner, from that number on.
fn rows(runner: &mut TestRunner, path: &str, first: u128) -> Vec<Row> {
    let words = prop::sample::subsequence(vec!["green", "tea", "keep", "Bob", "jar", "where", "milk"], 1..5);
    let one = (words, any_around(), -0.9_f32..0.9);
    let drawn = prop::collection::vec(one, 12).new_tree(runner).unwrap().current();
    (first..)
        .zip(drawn)
        .map(|(n, (words, around, cosine))| near_row(n, path, &words.join(" "), around, cosine))
        .collect()
}

static FOUND: Mutex<Vec<Vec<(FactId, u64)>>> = Mutex::new(Vec::new());

#[tokio::test]
async fn what_others_say_in_places_of_the_same_names_changes_no_order_and_no_score() {
    on_both(|index| async move {
        let mut runner = TestRunner::deterministic();
        let (mut found, mut written) = (Vec::new(), Vec::new());
        let mut write = async |path: &str, first: u128| {
            let rows = rows(&mut runner, path, first);
            index.replace(&rows.iter().cloned().map(Write::put).collect::<Vec<_>>()).await.unwrap();
            written.extend(rows);
            Past::of(written.clone())
        };
        for round in 0..8 {
            write("user:ann", 100 + round * 12).await;
            let before = all(&index, QUESTION).await;
            for (path, first) in
                [("user:bob", 5_000), ("project:p/participant:ann", 6_000), ("thread:t", 7_000)]
            {
                let past = write(path, first + round * 12).await;
                assert_eq!(all(&index, QUESTION).await, before, "after {path} in round {round}");
                let ann = reader("user:ann");
                let words = past.search(&ann, &asked(QUESTION)).unwrap();
                let then = bits(words, past.nearest(&ann, &meant(QUESTION)).unwrap());
                assert_eq!(then, before, "rows in memory, after {path} in round {round}");
            }
            found.extend(before);
        }
        FOUND.lock().unwrap().push(found);
    })
    .await;
    let found = FOUND.lock().unwrap();
    assert!(found.iter().all(|one| *one == found[0]), "both engines give the same to the last bit");
}
