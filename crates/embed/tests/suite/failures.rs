//! An endpoint that fails: which failures pass, which are final, how often it is asked, and what is never shown.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use truthkeeper_embed::{ApiKey, EmbedError, Endpoint, EndpointSettings, RetryLimits};
use wiremock::{MockServer, Request, Respond, ResponseTemplate};

use crate::server::{self, SECRET, input, is_for, requests, right, settings, texts};

/// A few answers, and after them the right ones.
fn first(answers: Vec<ResponseTemplate>) -> impl Respond {
    let count = AtomicUsize::new(0);
    move |request: &Request| match answers.get(count.fetch_add(1, Ordering::Relaxed)) {
        Some(answer) => answer.clone(),
        None => right(request),
    }
}

fn status(status: u16) -> ResponseTemplate {
    // Some endpoints repeat the text in their errors.
    ResponseTemplate::new(status).set_body_json(json!({"error": {"message": SECRET}}))
}

fn body(body: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_string(body)
}

/// One request of one text that is answered so.
async fn answered(answer: ResponseTemplate) -> (EmbedError, MockServer) {
    let server = server::server(answer).await;
    let error = server::embed(settings(&server), &texts(1)).await.unwrap_err();
    (error, server)
}

fn refusal(error: &EmbedError) -> Option<usize> {
    match error {
        EmbedError::Final { index, .. } => Some(*index),
        EmbedError::NotConfigured(_) | EmbedError::BadModel(_) | EmbedError::Passing { .. } => None,
    }
}

#[tokio::test]
async fn a_busy_endpoint_is_asked_again_after_the_time_it_wants() {
    let busy = status(429).insert_header("retry-after", "1");
    let server = server::server(first(vec![busy, status(503)])).await;
    let began = Instant::now();
    let embedded = server::embed(settings(&server), &texts(2)).await.unwrap();
    assert!(began.elapsed() >= Duration::from_secs(1));
    assert!(is_for(&embedded[1], &texts(2)[1]));
    assert_eq!(requests(&server).await, 3);
}

#[tokio::test]
async fn an_endpoint_that_stays_out_is_left_alone() {
    for out in [500, 502, 503, 504, 408, 429] {
        let (error, server) = answered(status(out)).await;
        assert!(error.is_outage(), "{out}: {error}");
        assert_eq!(error.retry_after(), None);
        assert_eq!(requests(&server).await, 3, "{out}");
    }
}

#[tokio::test]
async fn a_wait_that_is_too_long_is_the_callers() {
    let (error, server) = answered(status(503).insert_header("retry-after", "3600")).await;
    assert_eq!(error.retry_after(), Some(Duration::from_secs(3_600)));
    assert_eq!(requests(&server).await, 1);
}

#[tokio::test]
async fn what_is_no_answer_passes() {
    for nonsense in ["", "<html>sign in</html>", r#"{"error": "overloaded"}"#, r#"{"data": [{"embed"#] {
        let (error, server) = answered(body(nonsense)).await;
        assert!(error.is_outage(), "{nonsense}: {error}");
        assert_eq!(requests(&server).await, 3);
    }
}

#[tokio::test]
async fn an_answer_that_is_no_vector_is_final_for_its_text() {
    for (embedding, reason) in [
        ("[1, null]", "finite"),
        ("[1e300, 0]", "finite"),
        ("\"AADAfw==\"", "finite"),
        ("[0, 0]", "zero"),
        ("[]", "zero"),
    ] {
        let (error, server) = answered(body(&format!(r#"{{"data": [{{"embedding": {embedding}}}]}}"#))).await;
        assert_eq!(refusal(&error), Some(0), "{embedding}");
        assert!(error.to_string().contains(reason), "{embedding}: {error}");
        assert_eq!(requests(&server).await, 1);
    }
    for count in [r#"{"data": []}"#, r#"{"data": [{"embedding": [1]}, {"embedding": [1]}]}"#] {
        assert_eq!(refusal(&answered(body(count)).await.0), Some(0), "{count}");
    }
}

#[tokio::test]
async fn a_batch_that_is_too_large_is_halved_until_it_fits() {
    for refused in [400, 413, 422] {
        let at_most_two = move |request: &Request| match input(request).len() {
            0..=2 => right(request),
            _ => status(refused),
        };
        let server = server::server(at_most_two).await;
        let embedded = server::embed(settings(&server), &texts(8)).await.unwrap();
        assert!(embedded.iter().zip(&texts(8)).all(|(vector, text)| is_for(vector, text)));
        assert_eq!(requests(&server).await, 1 + 2 + 4);
    }
}

#[tokio::test]
async fn a_batch_with_a_vector_missing_is_asked_for_in_smaller_ones() {
    let forgetful = |request: &Request| match input(request).len() {
        0..=3 => right(request),
        _ => body(r#"{"data": [{"embedding": [1, 1]}]}"#),
    };
    let server = server::server(forgetful).await;
    let embedded = server::embed(settings(&server), &texts(5)).await.unwrap();
    assert!(embedded.iter().zip(&texts(5)).all(|(vector, text)| is_for(vector, text)));
}

#[tokio::test]
async fn one_bad_text_among_eight_is_found() {
    for bad in 0..8 {
        let refusing = move |request: &Request| {
            if input(request).contains(&texts(8)[bad]) { status(422) } else { right(request) }
        };
        let server = server::server(refusing).await;
        let error = server::embed(settings(&server), &texts(8)).await.unwrap_err();
        assert_eq!(refusal(&error), Some(bad), "{error}");
        assert!(requests(&server).await <= 7, "{bad}");
    }
}

#[tokio::test]
async fn a_bad_vector_is_told_by_the_place_of_its_text() {
    let with_hole = |request: &Request| {
        let data = input(request).into_iter().map(|text| match text == texts(8)[5] {
            true => json!({"embedding": [1, null]}),
            false => json!({"embedding": server::vector(&text)}),
        });
        ResponseTemplate::new(200).set_body_json(json!({"data": data.collect::<Vec<_>>()}))
    };
    let server = server::server(with_hole).await;
    let settings = EndpointSettings { batch: 3, ..settings(&server) };
    assert_eq!(refusal(&server::embed(settings, &texts(8)).await.unwrap_err()), Some(5));
}

#[tokio::test]
async fn what_somebody_must_mend_is_not_tried_again() {
    for refused in [301, 401, 403, 404, 405] {
        let (error, server) = answered(status(refused)).await;
        assert!(matches!(error, EmbedError::NotConfigured(_)), "{refused}: {error}");
        assert!(error.to_string().contains(&refused.to_string()), "{error}");
        assert_eq!(requests(&server).await, 1);
    }
}

#[tokio::test]
async fn nothing_is_sent_to_where_an_answer_points() {
    let elsewhere = server::server(right).await;
    let to = format!("{}/v1/embeddings", elsewhere.uri());
    let (error, _server) = answered(status(307).insert_header("location", to)).await;
    assert!(matches!(error, EmbedError::NotConfigured(_)), "{error}");
    assert_eq!(requests(&elsewhere).await, 0);
}

#[tokio::test]
async fn a_slow_endpoint_is_out() {
    let slow = |request: &Request| right(request).set_delay(Duration::from_secs(30));
    let server = server::server(slow).await;
    let settings = EndpointSettings { timeout: Duration::from_millis(200), ..settings(&server) };
    let error = server::embed(settings, &texts(1)).await.unwrap_err();
    assert!(error.is_outage() && error.to_string().contains("time"), "{error}");
    assert_eq!(requests(&server).await, 3);
}

#[tokio::test]
async fn all_the_tries_together_have_a_limit() {
    let slow = |request: &Request| right(request).set_delay(Duration::from_secs(30));
    let server = server::server(slow).await;
    let retry = RetryLimits { total: Duration::from_millis(300), ..settings(&server).retry };
    let error = server::embed(EndpointSettings { retry, ..settings(&server) }, &texts(1)).await.unwrap_err();
    assert!(error.is_outage(), "{error}");
    assert_eq!(requests(&server).await, 1);
}

#[tokio::test]
async fn a_closed_port_is_out() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let server = MockServer::start().await;
    let settings = EndpointSettings { base: format!("http://{address}/v1"), ..settings(&server) };
    let error = server::embed(settings, &texts(1)).await.unwrap_err();
    assert!(error.is_outage() && error.to_string().contains("connect"), "{error}");
}

#[test]
fn settings_that_cannot_work_are_refused_before_anything_is_sent() {
    let good = EndpointSettings::new("http://127.0.0.1:1/v1", "m");
    let key = |key: &str| Some(ApiKey::new(key.to_owned()));
    for bad in [
        EndpointSettings { base: "127.0.0.1".to_owned(), ..good.clone() },
        EndpointSettings { base: "http://user:hush@127.0.0.1/v1".to_owned(), ..good.clone() },
        EndpointSettings { model: String::new(), ..good.clone() },
        EndpointSettings { batch: 0, ..good.clone() },
        EndpointSettings { batch: 2_049, ..good.clone() },
        EndpointSettings { size: Some(0), ..good.clone() },
        EndpointSettings { piece_chars: 0, ..good.clone() },
        EndpointSettings { api_key: key("hush\nhush"), ..good.clone() },
    ] {
        let error = Endpoint::new(bad).unwrap_err();
        assert!(matches!(error, EmbedError::NotConfigured(_)), "{error}");
        assert!(!format!("{error} {error:?}").contains("hush"), "{error:?}");
    }
    assert!(Endpoint::new(good).is_ok());
}
