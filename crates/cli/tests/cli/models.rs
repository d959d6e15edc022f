//! Choosing and fetching the model.

use super::script::Script;

/// The folder of the local model's files, where the machine has them.
fn files() -> Option<String> {
    let folder = std::env::var("TRUTHKEEPER_MODELS").ok();
    let required = std::env::var_os("TRUTHKEEPER_REQUIRE_MODELS").is_some();
    assert!(folder.is_some() || !required, "TRUTHKEEPER_MODELS names no folder");
    if folder.is_none() {
        println!("skipped: TRUTHKEEPER_MODELS names no folder");
    }
    folder
}

#[test]
fn without_a_model_words_do() {
    let mut script = Script::new();
    script.run(&["models", "list"]).ok();
    script.run(&["facts", "write", "--type", "acme.note", "--text", "a cup of tea"]).ok();
    script.run(&["recall", "tea", "--mode", "both"]).ok();
    script.run(&["recall", "tea", "--mode", "semantic"]).exits(1);
    script.run(&["models", "use", "local"]).exits(1);
    script.run(&["models", "use", "mine"]).exits(2);
    script.run(&["models", "use", "http://localhost:9/v1"]).exits(2);
    script.run(&["models", "use", "off", "--model", "x"]).exits(2);
    script.run(&["models", "pull", "--from", "nowhere"]).exits(1);
    script.run(&["recall", "tea", "--fusion-k=-1"]).exits(2);
    script.run(&["models", "use", "off"]).ok();
    script.run(&["models", "list"]).ok();
    insta::assert_snapshot!(script.told());
}

#[test]
fn a_pulled_model_finds_by_meaning() {
    let Some(files) = files() else { return };
    let script = Script::new();
    script.quiet(&["models", "pull", "--from", &files]).ok();
    script.quiet(&["models", "pull", "--from", &files]).ok();
    assert!(script.quiet(&["models", "list"]).ok().out.contains("whole"));
    script.quiet(&["models", "use", "local"]).ok();
    for text in ["She drinks a cup of green tea every morning", "The pump in hall three was serviced"] {
        script.quiet(&["facts", "write", "--type", "acme.note", "--text", text]).ok();
    }
    let words = ["recall", "which machine got maintenance?", "--mode", "semantic", "--json"];
    let found = script.quiet(&words).ok().json();
    assert_eq!(found["facts"][0]["content"]["text"], "The pump in hall three was serviced");
    script.quiet(&["projections", "check"]).ok();
}

// An endpoint that is really down: facts are stored and found by words, and nobody's attempts are used
#[test]
fn an_endpoint_that_is_down_keeps_nobody_from_writing() {
    let script = Script::new();
    script.quiet(&["models", "use", "http://127.0.0.1:9/v1", "--model", "any"]).ok();
    let write = ["facts", "write", "--type", "acme.note", "--text", "a cup of tea", "--json"];
    let written = script.quiet(&write).ok().json();
    assert_eq!(written["receipt"]["searchable"], false);
    let found = script.quiet(&["recall", "tea", "--json"]).ok().json();
    assert_eq!((found["facts"].as_array().unwrap().len(), &found["notSearchableYet"]), (1, &1.into()));
    let both = script.quiet(&["recall", "tea", "--mode", "both", "--json"]).ok().json();
    assert_eq!(both["degraded"], "embedder-unreachable");
    script.quiet(&["recall", "tea", "--mode", "semantic"]).exits(1).says("error: the embedder failed");
    let status = script.quiet(&["projections", "status", "--json"]).ok().json();
    assert_eq!((&status["waiting"], &status["failed"]), (&1.into(), &0.into()));
    script.quiet(&["models", "use", "off"]).ok();
}
