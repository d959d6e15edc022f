//! What is read in answers of several providers, and what is not.

use super::{Answer, read};

fn vectors(body: &str, count: usize) -> Vec<Vec<f32>> {
    match read(body.as_bytes(), count) {
        Some(Answer::Vectors(vectors)) => vectors,
        other => panic!("{body}: {other:?}"),
    }
}

#[track_caller]
fn check_refused(body: &str, count: usize, reason: &str) {
    assert_eq!(read(body.as_bytes(), count), Some(Answer::Refused(reason.to_owned().into())), "{body}");
}

#[test]
fn vectors_are_put_in_the_order_of_their_index() {
    let body = r#"{"object":"list","data":[{"index":1,"embedding":[2]},{"object":"embedding","index":0,
        "embedding":[1e0]}],"model":"m","usage":{"total_tokens":4}}"#;
    assert_eq!(vectors(body, 2), [[1.0], [2.0]]);
    let body = r#"{"data":[{"embedding":[1]},{"index":null,"embedding":[2]}]}"#;
    assert_eq!(vectors(body, 2), [[1.0], [2.0]]);
}

#[test]
fn base64_is_read_like_numbers() {
    let body = r#"{"data":[{"index":0,"embedding":"AACAPwAAAMA="}]}"#;
    assert_eq!(vectors(body, 1), [[1.0, -2.0]]);
    for text in ["AACAPwAA", "*"] {
        let body = format!(r#"{{"data":[{{"embedding":"{text}"}}]}}"#);
        assert!(vectors(&body, 1)[0][0].is_nan());
    }
}

#[test]
fn what_is_no_number_stays_visible() {
    assert!(vectors(r#"{"data":[{"embedding":[1,null]}]}"#, 1)[0][1].is_nan());
    assert!(vectors(r#"{"data":[{"embedding":[1e300]}]}"#, 1)[0][0].is_infinite());
    assert!(vectors(r#"{"data":[{"embedding":null}]}"#, 1)[0].is_empty());
}

#[test]
fn an_answer_to_other_texts_is_refused() {
    check_refused(r#"{"data":[]}"#, 2, "2 texts got 0 vectors");
    check_refused(r#"{"data":[{"embedding":[1]},{"embedding":[1]}]}"#, 1, "1 texts got 2 vectors");
    for indexes in [[0, 0], [0, 2]] {
        let [one, other] = indexes;
        let body =
            format!(r#"{{"data":[{{"index":{one},"embedding":[1]}},{{"index":{other},"embedding":[1]}}]}}"#);
        check_refused(&body, 2, "its index is another's");
    }
}

#[test]
fn what_is_no_answer_is_nothing() {
    for body in [
        "",
        "<html>",
        "null",
        "[]",
        r#"{"error":{"message":"overloaded"}}"#,
        r#"{"data":[{"embedding":{"values":[1]}}]}"#,
        r#"{"data":[{"embedding":[NaN]}]}"#,
        r#"{"data":[{"index":-1,"embedding":[1]}]}"#,
    ] {
        assert_eq!(read(body.as_bytes(), 1), None, "{body}");
    }
}
