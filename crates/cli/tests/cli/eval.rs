//! `memory eval` on a data set that was made up for this test.

use std::fs;

use serde_json::json;

use super::script::{Ran, Script};

/// Two owners, who do not see each other's documents; one update; one text said twice; one too long for a fact.
fn documents() -> String {
    let gulls = "Gulls circle the harbour. ".repeat(900);
    let lines = [
        json!({ "owner": "ann", "id": "d1", "text": "The ferry to Skarholm sails at nine.", "thread": "pier", "seq": 1 }),
        json!({ "owner": "ann", "id": "d2", "text": "Ann keeps her oars in the blue shed.", "speaker": "Ann" }),
        json!({ "owner": "ann", "id": "d3", "text": "The ferry to Skarholm sails at eleven.", "supersedes": "d1" }),
        json!({ "owner": "ann", "id": "d4", "text": "Ann keeps her oars in the blue shed." }),
        json!({ "owner": "ann", "id": "d5", "text": format!("{gulls}The lamp burns paraffin. {gulls}") }),
        json!({ "owner": "bob", "id": "d1", "text": "Bob bakes rye bread.", "time": "on Monday" }),
    ];
    lines.map(|line| format!("{line}\n")).concat()
}

fn queries() -> String {
    let ask = |owner: &str, category: &str, query: &str, gold: &[&str]| json!({ "owner": owner, "id": query, "category": category, "query": query, "gold": gold });
    let mut versions = ask("ann", "update", "When does the ferry sail to Skarholm?", &["d3"]);
    versions["versions"] = json!({ "original_info": ["d1"], "updated_info": ["d3"] });
    let lines = [
        versions,
        ask("ann", "place", "Where are the oars?", &["d2", "d4"]),
        ask("ann", "place", "What does the paraffin lamp do to gulls?", &["d5"]),
        ask("bob", "time", "bread Monday", &["d1"]),
        ask("bob", "time", "Where are the oars?", &["d1"]),
        ask("bob", "nothing", "Is there a cat?", &[]),
    ];
    lines.map(|line| format!("{line}\n")).concat()
}

fn evaluate(script: &Script, more: &[&str]) -> Ran {
    fs::write(script.folder().join("docs.jsonl"), documents()).unwrap();
    fs::write(script.folder().join("queries.jsonl"), queries()).unwrap();
    script.quiet(&[&["eval", "--docs", "docs.jsonl", "--queries", "queries.jsonl"], more].concat())
}

#[test]
fn the_figures_are_those_computed_by_hand() {
    let script = Script::new();
    let report = evaluate(&script, &["--json"]).ok().json();
    let all_found = |n: usize| json!({ "n": n, "r1": 1.0, "r5": 1.0, "r10": 1.0, "mrr10": 1.0 });
    assert_eq!(report["categories"]["update"], all_found(1));
    assert_eq!(report["categories"]["place"], all_found(2));
    assert_eq!(
        report["categories"]["time"],
        json!({ "n": 2, "r1": 0.5, "r5": 0.5, "r10": 0.5, "mrr10": 0.5 }),
        "Bob does not find Ann's oars"
    );
    assert_eq!(report["all"], json!({ "n": 5, "r1": 0.8, "r5": 0.8, "r10": 0.8, "mrr10": 0.8 }));
    assert_eq!((&report["skipped"], &report["documents"]), (&json!(1), &json!(6)));
    assert_eq!(
        report["stale"],
        json!({ "superseded": 1, "shown": 0, "versions": { "queries": 1, "shown": 0, "first": 0 } })
    );
    assert_eq!(report["settings"]["engine"], "sqlite");
    assert!(report["ms"]["p50"].as_f64() <= report["ms"]["p99"].as_f64());
    let kept: Vec<_> = fs::read_dir(script.folder()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(kept.len(), 2, "only the data set is there: {kept:?}");
}

#[test]
fn a_person_reads_a_table() {
    let script = Script::new();
    let ran = evaluate(&script, &["--skip-category", "time"]).ok();
    let rows: Vec<Vec<&str>> =
        ran.out.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>()).collect();
    assert_eq!(rows[0], ["", "category", "n", "R@1", "R@5", "R@10", "MRR@10", ""]);
    assert!(rows.contains(&vec!["", "all", "3", "1.000", "1.000", "1.000", "1.000", ""]), "{}", ran.out);
    assert!(!ran.out.contains("| time"));
    assert!(ran.err.is_empty(), "{}", ran.err);
}

#[test]
fn only_an_empty_store_is_evaluated_in() {
    let script = Script::new();
    let report = evaluate(&script, &["--json", "--db", "kept.db"]).ok();
    assert_eq!(
        evaluate(&script, &["--db", "kept.db"]).says("events; an evaluation needs an empty one").code,
        Some(1)
    );
    assert!(script.folder().join("kept.db").is_file());
    assert_eq!(report.json()["documents"], 6);
}

#[test]
fn what_cannot_be_measured_is_said() {
    let script = Script::new();
    let missing = ["eval", "--docs", "none.jsonl", "--queries", "none.jsonl"];
    script.quiet(&missing).exits(1).says("none.jsonl").says("not part of the project");
    evaluate(&script, &["--skip-category", "plcae"]).says("no query has the category \"plcae\"");
    evaluate(&script, &["--mode", "semantic"]).exits(1).says("search by meaning is not available");
    evaluate(&script, &["--mode", "both"]).exits(1).says("search by meaning is not available");
    evaluate(&script, &["--mode", "neither"]).exits(2);
    evaluate(&script, &["--limit", "9"]).exits(2).says("must be from 10 to 100");
    let skipped = ["update", "place", "time"].map(|name| ["--skip-category", name]).concat();
    evaluate(&script, &skipped).exits(1).says("no query is left to score");
}
