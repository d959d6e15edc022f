//! The local model's time for a sentence, alone and among others.

use std::path::PathBuf;
use std::time::Instant;

use truthkeeper::{Embedder as _, LocalModel, ModelFiles, Role};

use crate::Outcome;
use crate::seed::Seed;
use crate::store::Fault;

/// Where the model's files are, where the command line does not say.
const FOLDER: &str = "TRUTHKEEPER_MODELS";
const SENTENCES: usize = 320;
const BATCH_SENTENCES: usize = 32;
/// Words of a sentence.
const WORDS_MIN: u64 = 5;
const WORDS_MAX: u64 = 40;
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const WORDS: [&str; 32] = [
    "the", "pump", "was", "serviced", "in", "hall", "seven", "on", "Monday", "and", "runs", "at", "four",
    "bar", "she", "prefers", "coffee", "to", "tea", "when", "it", "rains", "meetings", "before", "noon",
    "should", "be", "moved", "because", "trains", "are", "late",
];

pub(crate) async fn run(folder: Option<String>) -> Outcome {
    let Some(folder) = folder.or_else(|| std::env::var(FOLDER).ok()) else {
        println!("no model: name the folder of its files, as an argument or in {FOLDER}");
        return Ok(());
    };
    let model = LocalModel::load(&ModelFiles::find(&[PathBuf::from(folder)])?).await?;
    let sentences = sentences();
    // The first texts pay for what is set up once.
    embed(&model, &sentences[..BATCH_SENTENCES], 1).await?;
    let single = embed(&model, &sentences, 1).await?;
    let batch = embed(&model, &sentences, BATCH_SENTENCES).await?;
    let chars: usize = sentences.iter().map(String::len).sum();
    println!("{SENTENCES} sentences of {WORDS_MIN} to {WORDS_MAX} words, {} bytes each", chars / SENTENCES);
    println!("one at a time:      {:8.2} ms a sentence  1.00", single * 1e3);
    println!("{BATCH_SENTENCES} at a time:      {:8.2} ms a sentence  {:.2}", batch * 1e3, batch / single);
    Ok(())
}

/// Seconds for a sentence, `at_once` of them in a call.
async fn embed(model: &LocalModel, sentences: &[String], at_once: usize) -> Result<f64, Fault> {
    let start = Instant::now();
    for sentences in sentences.chunks(at_once) {
        std::hint::black_box(model.embed(Role::Passage, sentences).await?);
    }
    Ok(1.0 / crate::timing::rate(sentences.len(), start))
}

fn sentences() -> Vec<String> {
    let mut seed = Seed::new(SEED);
    let mut sentence = || {
        let count = WORDS_MIN + seed.next() % (WORDS_MAX - WORDS_MIN + 1);
        let words: Vec<&str> = (0..count).map(|_| seed.one_of(&WORDS)).collect();
        words.join(" ") + "."
    };
    (0..SENTENCES).map(|_| sentence()).collect()
}
