//! Which failures are outages, and how they read.

use std::time::Duration;

use crate::{BadModel, EmbedError};

#[test]
fn only_what_passes_is_an_outage() {
    let wait = Some(Duration::from_secs(7));
    let passing = EmbedError::Passing { reason: "status 503".into(), retry_after: wait };
    assert!(passing.is_outage());
    assert_eq!(passing.retry_after(), wait);
    for error in [
        EmbedError::NotConfigured("no model is named".into()),
        EmbedError::BadModel(BadModel::Size { expected: 384, found: 768 }),
        EmbedError::Final { index: 3, reason: "status 413".into() },
    ] {
        assert!(!error.is_outage(), "{error}");
        assert_eq!(error.retry_after(), None);
    }
}

#[test]
fn each_says_what_to_look_at() {
    for (error, text) in [
        (
            EmbedError::BadModel(BadModel::Digest {
                file: "m/config.json".to_owned(),
                expected: "ab".to_owned(),
                found: "cd".to_owned(),
            }),
            "model cannot be used: m/config.json has digest cd, not ab",
        ),
        (
            EmbedError::BadModel(BadModel::Size { expected: 384, found: 768 }),
            "model cannot be used: its vectors have 768 numbers, not 384",
        ),
        (EmbedError::Final { index: 3, reason: "status 413".into() }, "text 3 is refused: status 413"),
        (EmbedError::passing("status 503"), "embedder cannot answer now: status 503"),
    ] {
        assert_eq!(error.to_string(), text);
    }
}
