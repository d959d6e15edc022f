//! An endpoint that answers: what is sent, and what is made of the answer.

use serde_json::{Value, json};
use truthkeeper_embed::{
    BadModel, EmbedError, Embedder, Endpoint, EndpointSettings, ModelId, Prefixes, Role,
};
use wiremock::{Request, ResponseTemplate};

use crate::server::{self, KEY, is_for, requests, right, settings, texts};

#[tokio::test]
async fn each_text_gets_its_vector_whatever_the_batches() {
    for batch in [1, 3, 8, 100] {
        let server = server::server(right).await;
        let settings = EndpointSettings { batch, ..settings(&server) };
        let embedded = server::embed(settings, &texts(8)).await.unwrap();
        assert_eq!(embedded.len(), 8);
        assert!(embedded.iter().zip(&texts(8)).all(|(vector, text)| is_for(vector, text)));
        assert_eq!(requests(&server).await, 8_usize.div_ceil(batch));
    }
}

#[tokio::test]
async fn no_text_is_no_request() {
    let server = server::server(right).await;
    assert_eq!(server::embed(settings(&server), &[]).await, Ok(Vec::new()));
    assert_eq!(requests(&server).await, 0);
}

#[tokio::test]
async fn the_request_holds_the_model_the_key_and_the_prefix_of_the_role() {
    let server = server::server(right).await;
    let prefixes = Prefixes { passage: "passage: ".to_owned(), query: "query: ".to_owned() };
    let endpoint = Endpoint::new(EndpointSettings { prefixes, ..settings(&server) }).unwrap();
    for role in [Role::Passage, Role::Query] {
        endpoint.embed(role, &["a".to_owned()]).await.unwrap();
    }
    let received = server.received_requests().await.unwrap();
    let bodies: Vec<Value> = received.iter().map(|request| request.body_json().unwrap()).collect();
    let expected = |text: &str| json!({"model": "test-model", "input": [text]});
    assert_eq!(bodies, [expected("passage: a"), expected("query: a")]);
    assert_eq!(received[0].headers["authorization"], format!("Bearer {KEY}"));
}

#[tokio::test]
async fn answers_out_of_order_are_put_in_order() {
    let reversed = |request: &Request| {
        let data = server::input(request).into_iter().enumerate().rev();
        let data = data.map(|(index, text)| json!({"index": index, "embedding": server::vector(&text)}));
        ResponseTemplate::new(200).set_body_json(json!({"data": data.collect::<Vec<_>>()}))
    };
    let server = server::server(reversed).await;
    let embedded = server::embed(settings(&server), &texts(5)).await.unwrap();
    assert!(embedded.iter().zip(&texts(5)).all(|(vector, text)| is_for(vector, text)));
}

#[tokio::test]
async fn base64_comes_out_like_numbers() {
    let body = json!({"data": [{"embedding": "AABAQAAAgMA="}]});
    let server = server::server(ResponseTemplate::new(200).set_body_json(body)).await;
    assert_eq!(server::embed(settings(&server), &texts(1)).await, Ok(vec![vec![0.6, -0.8]]));
}

#[tokio::test]
async fn the_id_holds_the_size_that_the_first_answer_had() {
    let server = server::server(right).await;
    let endpoint = Endpoint::new(settings(&server)).unwrap();
    let id = endpoint.model().await.unwrap();
    let expected = ModelId {
        provider: "openai-compat".to_owned(),
        model: "test-model".to_owned(),
        revision: format!("{}/v1", server.uri()),
        size: 2,
        prefixes: Prefixes::default(),
    };
    assert_eq!(id, expected);
    assert_eq!(endpoint.model().await.unwrap(), expected);
    assert_eq!(requests(&server).await, 1, "it was asked once");
}

#[tokio::test]
async fn a_size_that_was_set_needs_no_request() {
    let server = server::server(right).await;
    let revision = Some("2".to_owned());
    let endpoint = Endpoint::new(EndpointSettings { size: Some(2), revision, ..settings(&server) }).unwrap();
    assert_eq!(endpoint.model().await.unwrap().to_string(), "openai-compat test-model 2 2 - -");
    assert_eq!(requests(&server).await, 0);
}

#[tokio::test]
async fn another_size_is_another_model() {
    let server = server::server(right).await;
    let found = server::embed(EndpointSettings { size: Some(3), ..settings(&server) }, &texts(1)).await;
    assert_eq!(found, Err(EmbedError::BadModel(BadModel::Size { expected: 3, found: 2 })));

    let growing = |request: &Request| {
        let text = &server::input(request)[0];
        let body = json!({"data": [{"embedding": vec![1.0; text.len()]}]});
        ResponseTemplate::new(200).set_body_json(body)
    };
    let server = server::server(growing).await;
    let endpoint = Endpoint::new(settings(&server)).unwrap();
    let embed = async |text: &str| endpoint.embed(Role::Query, &[text.to_owned()]).await;
    embed("two").await.unwrap();
    assert_eq!(embed("three").await, Err(BadModel::Size { expected: 3, found: 5 }.into()));
    embed("one").await.unwrap();
}

#[tokio::test]
async fn long_text_goes_in_pieces_of_the_length_that_was_set() {
    let server = server::server(right).await;
    let endpoint = Endpoint::new(EndpointSettings { piece_chars: 10, ..settings(&server) }).unwrap();
    assert_eq!(endpoint.pieces("first. second. third."), ["first. ", "second. ", "third."]);
    assert_eq!(endpoint.pieces(""), [""; 0]);
}
