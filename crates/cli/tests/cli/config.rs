//! What the command is told: a flag before the environment, that before the file, and the file before the default.

use std::path::Path;

use serde_json::Value;

use super::script::{Ran, Script};

/// The command with a file of that text, and with variables.
fn told(script: &Script, file: &str, variables: &[(&str, &str)], words: &[&str]) -> Ran {
    let path = script.folder().join("told.toml");
    std::fs::write(&path, file).unwrap();
    let mut command = script.command(words);
    command.env("MEMORY_CONFIG", path).envs(variables.iter().copied());
    Ran::of(command.output().unwrap())
}

fn shown(ran: Ran, name: &str) -> (Value, String) {
    let shown = ran.ok().json();
    let lines = shown["knobs"].as_array().unwrap();
    let line = lines.iter().find(|line| line["name"] == name).unwrap();
    (line["value"].clone(), line["from"].as_str().unwrap().to_owned())
}

#[test]
fn each_value_says_who_told_it() {
    let mut script = Script::new();
    let file = "db = \"from-file.db\"\nsearch_limit = 3\nsearch_floor = 0.3\nlog = \"error\"\nhosts = [\"a.example\", \"b.example\"]\n";
    let words = ["config", "show", "--json"];
    let place = script.folder().join("told.toml").display().to_string();
    let limit = |variables: &[(&str, &str)]| shown(told(&script, file, variables, &words), "search_limit");
    assert_eq!(limit(&[]), ("3".into(), place.clone()));
    assert_eq!(limit(&[("MEMORY_SEARCH_LIMIT", "7")]), ("7".into(), "environment".to_owned()));
    assert_eq!(
        shown(told(&script, file, &[], &words), "token_budget"),
        ("2000".into(), "default".to_owned())
    );
    assert_eq!(shown(told(&script, file, &[], &words), "hosts"), ("a.example,b.example".into(), place));
    let db = ["config", "show", "--json", "--db", "x.db"];
    assert_eq!(shown(told(&script, file, &[], &db), "db"), ("x.db".into(), "flag".to_owned()));
    // A path in the file begins at the file.
    let mut command = script.command(&words);
    command.env_remove("MEMORY_DB").current_dir("/").arg("--config").arg(script.folder().join("told.toml"));
    let db = shown(Ran::of(command.output().unwrap()), "db").0;
    assert_eq!(db, script.folder().join("from-file.db").to_str().unwrap());
    script.run(&["config", "show", "--config", "told.toml"]).ok();
    // How wide a column is depends on the machine's temporary folder.
    let told = script.told();
    let lines = told.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join("  "));
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"));
}

#[test]
fn no_secret_is_shown() {
    let script = Script::new();
    let file = "embeddings_key = \"geheim\"\nembeddings_former = \"https://u:geheim@host/v1?key=geheim\"\n";
    let variables = [
        ("MEMORY_DB", "postgres://ops:geheim@host/memory?password=geheim"),
        ("MEMORY_EMBEDDINGS_FORMER_KEY", "geheim"),
        ("MEMORY_EXTRACTION_ENABLED", "geheim"),
    ];
    for words in [&["config", "show"][..], &["config", "show", "--json"]] {
        let ran = told(&script, file, &variables, words).ok();
        assert!(!format!("{ran:?}").contains("geheim"), "{ran:?}");
        assert!(ran.out.contains("postgres://host/memory") && ran.out.contains("https://***@host/v1?***"));
        assert!(ran.err.contains("MEMORY_EXTRACTION_ENABLED is set, and means nothing here"), "{ran:?}");
    }
    for broken in ["embeddings_key = \"geheim", "embeddings_key = [\"geheim\", 1]", "geheimnis = 1\n[geheim]"]
    {
        let ran =
            told(&script, broken, &[], &["facts", "write", "--type", "acme.note", "--text", "tea"]).exits(2);
        assert!(!ran.err.contains("\"geheim\""), "{ran:?}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_where_it_was_said() {
    let script = Script::new();
    let write = ["facts", "write", "--type", "acme.note", "--text", "tea"];
    let path = script.folder().join("told.toml").display().to_string();
    let in_file = [
        ("busy_second = 3", format!("busy_second in {path}: is no name; `memory config show` lists them")),
        ("busy_seconds = -1", format!("busy_seconds in {path}: must be a whole number from 0 to 3600")),
        ("busy_seconds = true", format!("busy_seconds in {path}: must be a text or a number")),
        ("log = 1\n= 2", format!("{path}: is no TOML at line 2")),
        ("log = \"loud\"", format!("log in {path}: must be off, error, warn, info, debug or trace")),
        ("db = \"\"", format!("db in {path}: must not be empty")),
    ];
    for (file, problem) in in_file {
        let mut variables = Vec::new();
        let mut command = script.command(&write);
        command.env_remove("MEMORY_DB");
        variables.push(("MEMORY_SEARCH_LIMIT", "5"));
        std::fs::write(&path, file).unwrap();
        let ran = Ran::of(command.envs(variables).env("MEMORY_CONFIG", &path).output().unwrap()).exits(2);
        assert!(ran.err.contains(&problem), "{file}: {ran:?}");
        let shown = Ran::of(
            script.command(&["config", "show", "--config", &path]).env_remove("MEMORY_DB").output().unwrap(),
        );
        assert!(shown.exits(2).says(&problem).out.contains("makes no sense"), "{file}");
    }
    let refused: [(&str, &str, &[&str], &str); 5] = [
        (
            "MEMORY_SEARCH_LIMIT",
            "0",
            &["recall", "tea"],
            "MEMORY_SEARCH_LIMIT: must be a whole number from 1 to 100",
        ),
        (
            "MEMORY_SEARCH_FLOOR",
            "2",
            &["recall", "tea"],
            "MEMORY_SEARCH_FLOOR: must be a number from -1 to 1",
        ),
        ("MEMORY_TOKEN_BUDGET", "many", &["recall", "tea"], "MEMORY_TOKEN_BUDGET: must be a whole number"),
        ("MEMORY_LISTEN", "7711", &["serve"], "MEMORY_LISTEN: must be an address and a port"),
        (
            "MEMORY_EMBEDDING_MODEL",
            "big-1",
            &["recall", "tea"],
            "MEMORY_EMBEDDING_MODEL: names a model of an endpoint",
        ),
    ];
    script.quiet(&write).ok();
    for (name, value, words, problem) in refused {
        let ran = told(&script, "", &[(name, value)], words).exits(2);
        assert!(ran.err.contains(problem) && ran.out.is_empty(), "{ran:?}");
    }
    told(&script, "", &[("MEMORY_EMBEDDING_MODEL", "all-MiniLM-L6-v2")], &["recall", "tea"]).ok();
    script
        .quiet(&["recall", "tea", "--config", "nowhere.toml"])
        .exits(2)
        .says("nowhere.toml: cannot be read");
}

#[test]
fn a_recall_follows_the_knobs_and_the_flags_before_them() {
    let script = Script::new();
    for text in ["green tea", "black tea", "white tea"] {
        script.quiet(&["facts", "write", "--type", "acme.note", "--text", text]).ok();
    }
    let found = |file: &str, words: &[&str]| {
        let answer = told(&script, file, &[], words).ok().json();
        answer["facts"].as_array().unwrap().len()
    };
    assert_eq!(found("search_limit = 2", &["recall", "tea", "--json"]), 2);
    assert_eq!(found("search_limit = 2", &["recall", "tea", "--json", "--limit", "3"]), 3);
    let block = |words: &[&str]| told(&script, "token_budget = 60", &[], words).ok().out.lines().count();
    assert!(block(&["recall", "tea", "--block"]) < block(&["recall", "tea", "--block", "--tokens", "2000"]));
    // Where nobody names a file, it is the one in the data folder.
    let usual = script.folder().join(".local/share/truthkeeper");
    std::fs::create_dir_all(&usual).unwrap();
    std::fs::write(usual.join("memory.toml"), "search_limit = 1").unwrap();
    let answer = script.quiet(&["recall", "tea", "--json"]).ok().json();
    assert_eq!(answer["facts"].as_array().unwrap().len(), 1);
    std::fs::write(usual.join("memory.toml"), "nonsense = 1").unwrap();
    let found = script.quiet(&["doctor", "configuration"]).exits(1);
    assert!(found.out.contains("nonsense in ") && found.out.contains("is no name"), "{found:?}");
}

// What can be told is said in one table of the source; the page repeats it.
#[test]
fn the_page_lists_every_knob() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operate.md");
    let page = std::fs::read_to_string(page).unwrap();
    let shown = Script::new().quiet(&["config", "show", "--json"]).ok().json();
    let cell = |value: &Value| value.as_str().map_or_else(String::new, |text| format!("`{text}`"));
    let row = |line: &Value| {
        let [name, variable, flag, default] =
            ["name", "variable", "flag", "default"].map(|key| cell(&line[key]));
        format!("| {name} | {variable} | {flag} | {default} | {} |", line["about"].as_str().unwrap())
    };
    let wanted: Vec<String> = shown["knobs"].as_array().unwrap().iter().map(row).collect();
    let written: Vec<&str> = page.lines().filter(|line| line.contains("| `MEMORY_")).collect();
    assert_eq!(written, wanted, "docs/operate.md (left) and the knobs (right)");
}
