//! The local model with its real files, compared with what other implementations of it say.

use std::env;
use std::path::PathBuf;

use tokio::sync::OnceCell;
use truthkeeper_embed::{EmbedError, Embedder, LocalModel, ModelFiles, Role};

/// Text, and the first four and the last number of its vector. Computed in f64 by an implementation of its own, from
/// the same weights; the first text's are those that the model's authors published.
const GOLDEN: [(&str, [f32; 5]); 4] = [
    ("This is an example sentence", [0.067_656_9, 0.063_495_9, 0.048_713_1, 0.079_305, -0.042_228_7]),
    ("Each sentence is converted", [0.086_438_6, 0.102_762_6, 0.005_394_5, 0.002_044_4, -0.084_177_5]),
    ("", [-0.118_838_4, 0.048_298_7, -0.002_548_1, -0.011_011_2, -0.015_717_3]),
    (
        "Der Kühlschrank läuft 今日は 👍 naïve [SEP] don't",
        [0.017_745_8, 0.177_070_4, 0.138_499_5, -0.011_696_4, 0.003_120_3],
    ),
];
/// The same of `memory`, 254 times: the longest text that is taken whole.
const LONGEST: [f32; 5] = [-0.016_235_2, -0.021_368_1, -0.012_891_9, -0.074_127_6, 0.022_793_6];

/// The files in the folder `TRUTHKEEPER_MODELS`. Without it nothing, said in a line, or a panic when
/// `TRUTHKEEPER_REQUIRE_MODELS=1` asks for them.
pub(crate) fn files() -> Option<ModelFiles> {
    if let Some(folder) = env::var_os("TRUTHKEEPER_MODELS").filter(|folder| !folder.is_empty()) {
        return Some(ModelFiles::find(&[PathBuf::from(folder)]).expect("TRUTHKEEPER_MODELS holds the model"));
    }
    let required = env::var("TRUTHKEEPER_REQUIRE_MODELS").is_ok_and(|value| value == "1");
    assert!(!required, "TRUTHKEEPER_REQUIRE_MODELS is set, but TRUTHKEEPER_MODELS names no folder");
    eprintln!("skipped: TRUTHKEEPER_MODELS names no folder");
    None
}

/// One model for all tests.
async fn model() -> Option<&'static LocalModel> {
    static MODEL: OnceCell<LocalModel> = OnceCell::const_new();
    let files = files()?;
    Some(MODEL.get_or_init(async || LocalModel::load(&files).await.unwrap()).await)
}

async fn embed(model: &LocalModel, texts: &[&str]) -> Vec<Vec<f32>> {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    model.embed(Role::Passage, &texts).await.unwrap()
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn distance(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max)
}

#[track_caller]
fn check_golden(vector: &[f32], golden: [f32; 5]) {
    assert_eq!(vector.len(), 384);
    let seen = [vector[0], vector[1], vector[2], vector[3], vector[383]];
    assert!(distance(&seen, &golden) < 1e-6, "{seen:?} and {golden:?}");
    assert!((cosine(vector, vector) - 1.0).abs() < 1e-5);
}

#[tokio::test]
async fn the_vectors_are_those_of_other_implementations() {
    let Some(model) = model().await else { return };
    let texts = GOLDEN.map(|(text, _)| text);
    for (vector, (_, golden)) in embed(model, &texts).await.iter().zip(GOLDEN) {
        check_golden(vector, golden);
    }
    check_golden(&embed(model, &[&["memory"; 254].join(" ")]).await[0], LONGEST);
}

#[tokio::test]
async fn what_means_the_same_lies_near() {
    let Some(model) = model().await else { return };
    let texts = [
        "The user prefers tea over coffee.",
        "She likes tea better than coffee.",
        "The build fails on Tuesdays.",
    ];
    let vectors = embed(model, &texts).await;
    assert!(cosine(&vectors[0], &vectors[1]) > 0.7);
    assert!(cosine(&vectors[0], &vectors[2]) < 0.2);
}

#[tokio::test]
async fn a_text_has_the_same_vector_alone_and_among_others() {
    let Some(model) = model().await else { return };
    let texts: Vec<String> = (0..32).map(|at| "some words, ".repeat(at * at % 50)).collect();
    let together = model.embed(Role::Query, &texts).await.unwrap();
    for (text, vector) in texts.iter().zip(&together) {
        let alone = embed(model, &[text]).await;
        assert!(distance(&alone[0], vector) < 1e-5, "{}", text.len());
    }
    assert_eq!(model.embed(Role::Query, &[]).await, Ok(Vec::new()));
}

#[tokio::test]
async fn long_text_goes_in_pieces_and_is_never_cut() {
    let Some(model) = model().await else { return };
    let text = "The naïve user asked us to call back on 17 March. ".repeat(5_000 / 11 + 1);
    let refused = model.embed(Role::Passage, &["short".to_owned(), text.clone()]).await;
    assert!(matches!(refused, Err(EmbedError::Final { index: 1, .. })), "{refused:?}");
    let pieces = model.pieces(&text);
    assert_eq!(pieces.concat(), text);
    assert!(pieces.iter().all(|piece| piece.ends_with(". ")), "cut between sentences");
    assert_eq!(model.embed(Role::Passage, &pieces).await.unwrap().len(), pieces.len());
}

#[tokio::test]
async fn whatever_the_text_its_pieces_are_taken_whole() {
    let Some(model) = model().await else { return };
    let odd = [
        "今日は雨です。".repeat(50),
        "한국어와 emoji 👩‍👩‍👧‍👦 ".repeat(40),
        "x".repeat(20_000),
        "supercalifragilistic-".repeat(100),
        " \n\t\u{0}\u{301}".repeat(4_000),
        "e\u{301}\u{323}ﬁ".repeat(200),
        "[CLS] [SEP] [MASK] ".repeat(90),
        "?!".repeat(200),
        "ཀྱིས་བོད་".repeat(60),
    ];
    for text in odd {
        let pieces = model.pieces(&text);
        assert_eq!(pieces.concat(), text);
        let embedded = model.embed(Role::Passage, &pieces).await;
        assert!(embedded.is_ok(), "{} pieces: {embedded:?}", pieces.len());
    }
    assert_eq!(model.pieces(""), [""; 0]);
    assert_eq!(model.pieces("short"), ["short"]);
}

#[tokio::test]
async fn its_id_is_the_published_one() {
    let Some(model) = model().await else { return };
    let id = model.model().await.unwrap().to_string();
    let revision = "1110a243fdf4706b3f48f1d95db1a4f5529b4d41";
    assert_eq!(id, format!("local sentence-transformers/all-MiniLM-L6-v2 {revision} 384 - -"));
}
