//! An endpoint that answers as a test says, and the settings to reach it.

use std::time::Duration;

use serde_json::{Value, json};
use truthkeeper_embed::{ApiKey, EmbedError, Embedder, Endpoint, EndpointSettings, RetryLimits, Role};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate};

/// What no error may show.
pub(crate) const KEY: &str = "sk-hush";
/// What every text of these tests holds, and no error may show either.
pub(crate) const SECRET: &str = "whisper";

/// A server whose `/v1/embeddings` answers so.
pub(crate) async fn server(answer: impl Respond + 'static) -> MockServer {
    let server = MockServer::start().await;
    let mock = Mock::given(method("POST")).and(path("/v1/embeddings")).respond_with(answer);
    mock.mount(&server).await;
    server
}

/// Settings of an impatient client, with a key.
pub(crate) fn settings(server: &MockServer) -> EndpointSettings {
    EndpointSettings {
        api_key: Some(ApiKey::new(KEY.to_owned())),
        timeout: Duration::from_secs(5),
        retry: RetryLimits {
            tries: 3,
            first_wait: Duration::from_millis(10),
            total: Duration::from_secs(10),
        },
        ..EndpointSettings::new(format!("{}/v1", server.uri()), "test-model")
    }
}

/// Embeds passages, and sees to it that neither an error nor the endpoint itself shows what it must not.
pub(crate) async fn embed(settings: EndpointSettings, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
    let endpoint = Endpoint::new(settings).unwrap();
    let embedded = endpoint.embed(Role::Passage, texts).await;
    let mut shown = format!("{endpoint:?}");
    if let Err(error) = &embedded {
        shown.push_str(&format!("{error} {error:?}"));
    }
    assert!(!shown.contains(KEY) && !shown.contains(SECRET), "{shown}");
    embedded
}

/// `count` texts of different lengths.
pub(crate) fn texts(count: usize) -> Vec<String> {
    (0..count).map(|at| format!("{SECRET}{}", "!".repeat(at))).collect()
}

/// The texts of a request.
pub(crate) fn input(request: &Request) -> Vec<String> {
    let body: Value = request.body_json().unwrap();
    serde_json::from_value(body["input"].clone()).unwrap()
}

/// The vector that this server's model has for a text.
pub(crate) fn vector(text: &str) -> [f64; 2] {
    [f64::from(u32::try_from(text.len()).unwrap()), 1.0]
}

/// The vector as it comes out at the other end.
pub(crate) fn is_for(embedded: &[f32], text: &str) -> bool {
    let [x, y] = vector(text);
    let length = x.hypot(y);
    embedded.len() == 2
        && embedded.iter().zip([x, y]).all(|(one, other)| (f64::from(*one) - other / length).abs() < 1e-6)
}

/// A right answer.
pub(crate) fn right(request: &Request) -> ResponseTemplate {
    let texts = input(request);
    let data =
        texts.iter().enumerate().map(|(index, text)| json!({"index": index, "embedding": vector(text)}));
    ResponseTemplate::new(200).set_body_json(json!({"data": data.collect::<Vec<_>>()}))
}

/// How many requests came.
pub(crate) async fn requests(server: &MockServer) -> usize {
    server.received_requests().await.unwrap().len()
}
