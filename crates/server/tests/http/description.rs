//! The description that is checked in is the one that the service is made by.

use std::collections::BTreeSet;

use serde_json::Value;

fn checked_in() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../api/openapi.json");
    std::fs::read_to_string(path).unwrap()
}

pub(crate) fn description() -> Value {
    serde_json::from_str(&checked_in()).unwrap()
}

/// Every route with its method, as it is described.
pub(crate) fn routes() -> Vec<(String, String)> {
    let description = description();
    let paths = description["paths"].as_object().unwrap();
    let methods = |path: &str, item: &Value| {
        item.as_object().unwrap().keys().map(|method| (path.to_owned(), method.clone())).collect::<Vec<_>>()
    };
    paths.iter().flat_map(|(path, item)| methods(path, item)).collect()
}

#[test]
fn the_description_is_the_one_that_is_checked_in() {
    let made = truthkeeper_server::openapi();
    assert_eq!(checked_in(), made, "`memory openapi > api/openapi.json` writes it anew");
}

#[test]
fn every_response_and_every_operation_has_words_of_its_own() {
    let description = description();
    let mut names = BTreeSet::new();
    for (path, method) in routes() {
        let operation = &description["paths"][&path][&method];
        let name = operation["operationId"].as_str().unwrap();
        assert!(names.insert(name.to_owned()), "{name} twice");
        assert!(operation["description"].is_string() || operation["summary"].is_string(), "{name}");
        let responses = operation["responses"].as_object().unwrap();
        for (status, response) in responses {
            let response = match response["$ref"].as_str() {
                Some(place) => &description["components"]["responses"][place.rsplit('/').next().unwrap()],
                None => response,
            };
            assert!(!response["description"].as_str().unwrap().is_empty(), "{name}: {status}");
        }
        assert!(responses.keys().any(|status| status.starts_with('2')), "{name}");
        assert!(responses.contains_key("401") != ["isUp", "isReady"].contains(&name), "{name}");
    }
}
