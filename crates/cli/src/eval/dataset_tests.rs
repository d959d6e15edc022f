//! Reading a data set: what is taken in, and that each mistake is named by file, line and field.

use std::fs;

use tempfile::TempDir;
use truthkeeper::limits;

use super::dataset::{self, DocumentNumber, Owner, Versions};
use super::error::EvalError;

const DOCUMENT: &str = r#"{"owner":"ann","id":"d1","text":"The ferry sails at nine."}"#;
const QUERY: &str = r#"{"owner":"ann","id":"q1","category":"when","query":"ferry?","gold":["d1"]}"#;

fn read(documents: &str, queries: &str) -> Result<Vec<Owner>, EvalError> {
    let folder = TempDir::new().unwrap();
    let [docs, asked] = ["docs.jsonl", "queries.jsonl"].map(|name| folder.path().join(name));
    fs::write(&docs, documents).unwrap();
    fs::write(&asked, queries).unwrap();
    dataset::read(&docs, &asked)
}

/// `documents` and `queries` are refused with a text that ends like this.
#[track_caller]
fn refused(documents: &str, queries: &str, expected: &str) {
    let text = read(documents, queries).unwrap_err().to_string();
    assert!(text.ends_with(expected), "{text}");
}

#[test]
fn everything_of_a_line_is_taken_in() {
    let documents = [
        DOCUMENT,
        r#"{"owner":"bob","id":"d1","text":"Tea."}"#,
        "",
        r#"{"owner":"ann","id":"d2","text":"It sails at ten.","time":"May 4","thread":"t","seq":7,"speaker":"Bo","supersedes":"d1"}"#,
    ];
    let queries = [
        QUERY,
        r#"{"owner":"ann","id":"q2","category":"now","query":"?","gold":[],"versions":{"original_info":["d1","d2"],"updated_info":["d2"]}}"#,
        r#"{"owner":"ann","id":"q3","category":"now","query":"?","gold":[],"versions":{"first_statement":["d1"],"second_statement":["d2"]}}"#,
    ];
    let owners = read(&documents.join("\n"), &queries.join("\n")).unwrap();
    assert_eq!(owners.iter().map(|owner| owner.id.as_str()).collect::<Vec<_>>(), ["ann", "bob"]);
    let [ann, bob] = &owners[..] else { panic!("{owners:?}") };
    assert_eq!((ann.documents.len(), bob.documents.len(), bob.questions.len()), (2, 1, 0));
    let second = &ann.documents[1];
    assert_eq!((second.line, second.text.as_str()), (4, "May 4 It sails at ten."));
    assert_eq!(second.supersedes, [DocumentNumber(0)].into());
    let provenance = &second.provenance;
    assert_eq!(provenance.thread.as_ref().unwrap().as_str(), "t");
    assert_eq!(provenance.speaker.as_ref().unwrap().as_str(), "Bo");
    assert_eq!(provenance.sequence, Some(7));
    assert_eq!(ann.questions[0].gold, [DocumentNumber(0)].into());
    let update = Versions { original: [DocumentNumber(0)].into(), updated: [DocumentNumber(1)].into() };
    assert_eq!(ann.questions[1].versions, Some(update));
    assert_eq!(ann.questions[2].versions, None);
}

#[test]
fn a_bad_document_is_named_by_line_and_field() {
    for (line, expected) in [
        ("{", "docs.jsonl, line 2: line: is not a JSON object"),
        ("[]", "docs.jsonl, line 2: line: is not a JSON object"),
        (r#"{"owner":"ann","id":"d2"}"#, "line 2: text: is missing"),
        (r#"{"owner":"ann","id":"d2","text":" "}"#, "line 2: text: must not be empty or blank"),
        (r#"{"owner":"ann","id":2,"text":"x"}"#, "line 2: id: must be a string"),
        (r#"{"owner":" ","id":"d2","text":"x"}"#, "line 2: owner: must not be empty or blank"),
        (DOCUMENT, "line 2: id: was used by another document of this owner"),
        (
            r#"{"owner":"ann","id":"d2","text":"x","seq":-1}"#,
            "line 2: seq: must be a whole number from 0 to 4294967295",
        ),
        (
            r#"{"owner":"ann","id":"d2","text":"x","supersedes":["d2"]}"#,
            "line 2: supersedes: names a document that this owner does not have by then",
        ),
        (
            r#"{"owner":"ann","id":"d2","text":"x","superseeds":"d1"}"#,
            "line 2: superseeds: is not a field of a data set",
        ),
    ] {
        refused(&format!("{DOCUMENT}\n{line}"), QUERY, expected);
    }
}

#[test]
fn a_bad_query_is_named_by_line_and_field() {
    let long = "x".repeat(limits::QUERY_CHARS_MAX + 1);
    let long = format!(r#"{{"owner":"ann","id":"q7","category":"c","query":"{long}","gold":[]}}"#);
    for (line, expected) in [
        (
            r#"{"owner":"ann","id":"q2","category":"c","query":"x"}"#,
            "queries.jsonl, line 2: gold: is missing",
        ),
        (
            r#"{"owner":"bob","id":"q2","category":"c","query":"x","gold":[]}"#,
            "line 2: owner: has no documents",
        ),
        (
            r#"{"owner":"ann","id":"q2","category":"c","query":"x","gold":["d9"]}"#,
            "line 2: gold: names a document that this owner does not have by then",
        ),
        (&long, r#"line 2: query: of "q7": has 2001 characters; at most 2000"#),
    ] {
        refused(DOCUMENT, &format!("{QUERY}\n{line}"), expected);
    }
}

#[test]
fn text_that_is_not_utf8_is_named_by_its_line() {
    let folder = TempDir::new().unwrap();
    let docs = folder.path().join("docs.jsonl");
    fs::write(&docs, [DOCUMENT.as_bytes(), b"\n\xff\n"].concat()).unwrap();
    let error = dataset::read(&docs, &docs).unwrap_err().to_string();
    assert!(error.ends_with("docs.jsonl, line 2: line: is not UTF-8"), "{error}");
}
