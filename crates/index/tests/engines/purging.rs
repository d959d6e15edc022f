//! After a removal and a purge, no byte of the words is left in the files.

use std::path::Path;

use truthkeeper_index::Write;

use crate::support::{Folder, fact, facts, found, on_both, put, reader, remove};

/// A word, and the token that it is found by.
type Trace = [String; 2];

/// Words that are removed, with other beginnings than one another, so that FTS5 stores them whole.
fn removed_words() -> Vec<Trace> {
    let letters = |n: u32| {
        (0..3).map(move |place| char::from(b'a' + u8::try_from(n / 26_u32.pow(place) % 26).unwrap()))
    };
    let word = |n| -> String { letters(n).chain("qzx".chars()).collect() };
    let mut words: Vec<_> =
        (0..600).map(|n| [format!("{}running", word(n * 29)), format!("w{}run", word(n * 29))]).collect();
    words.push(["xylophonists".to_owned(), "wxylophonist".to_owned()]);
    words.push(["秘密".to_owned(), "ge7a798e5af86".to_owned()]);
    words
}

#[tokio::test]
async fn no_removed_word_or_stem_is_left_in_the_file_or_its_log() {
    let folder = Folder::new();
    let index = truthkeeper_index::open(&folder.file());
    let words = removed_words();
    for (batch, chunk) in (0..).zip(words.chunks(50)) {
        let writes: Vec<Write> = (0..)
            .zip(chunk)
            .flat_map(|(n, [word, _])| {
                let number = batch * 1_000 + n * 2;
                let kept = format!(
                    "kept{number} running kept{number}x {}",
                    "filler ".repeat(usize::try_from(n).unwrap())
                );
                [put(number, "user:ann", &format!("{word} told {word}")), put(number + 1, "user:ann", &kept)]
            })
            .collect();
        index.replace(&writes).await.unwrap();
    }
    assert_eq!(traces(&folder.0, &words), words.len(), "the tokens are there, the words never were");
    for batch in 0..13 {
        let removals: Vec<Write> = (0..50).map(|n| remove(batch * 1_000 + n * 2)).collect();
        index.replace(&removals).await.unwrap();
    }
    index.purge().await.unwrap();
    assert_eq!(traces(&folder.0, &words), 0);
    assert_eq!(facts(&index, &reader("user:ann"), "kept2").await.len(), 1);
}

#[tokio::test]
async fn a_purge_keeps_what_was_not_removed() {
    on_both(|index| async move {
        index.replace(&[put(1, "user:ann", "likes tea"), put(2, "user:ann", "drank tea")]).await.unwrap();
        index.replace(&[remove(1)]).await.unwrap();
        let before = found(&index, &reader("user:ann"), "tea").await;
        index.purge().await.unwrap();
        assert_eq!(found(&index, &reader("user:ann"), "tea").await, before);
        index.replace(&[put(3, "user:ann", "more tea")]).await.unwrap();
        assert_eq!(facts(&index, &reader("user:ann"), "tea").await, [fact(3), fact(2)]);
    })
    .await;
}

/// How many words or tokens are in any file of the index.
fn traces(folder: &Path, words: &[Trace]) -> usize {
    let files = std::fs::read_dir(folder).unwrap().map(|file| std::fs::read(file.unwrap().path()).unwrap());
    let bytes: Vec<u8> = files.flatten().collect();
    let text = String::from_utf8_lossy(&bytes);
    words.iter().flatten().filter(|word| text.contains(word.as_str())).count()
}
