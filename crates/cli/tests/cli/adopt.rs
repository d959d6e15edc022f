//! `memory adopt`: the whole way of old memories, what is refused on it, and where its papers lie.

use std::fs;
use std::path::PathBuf;

use super::script::Script;

const NOTES: &str = "# Memory\n\n## Habits\n- Ann drinks green tea\n- Ann rides a bicycle to work\n\n## Ports\n\
     - The staging port is 8001\n- The staging port is 8002\n";

/// A store with notes brought in for Ann.
fn brought() -> Script {
    let script = Script::new();
    fs::write(script.folder().join("MEMORY.md"), NOTES).unwrap();
    script.quiet(&["adopt", "import", "markdown", "MEMORY.md", "--scope", "user:ann"]).ok();
    script
}

/// The one paper of that kind.
fn paper(script: &Script, kind: &str) -> String {
    let folder = script.folder().join(".local/share/truthkeeper/adoption");
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(kind))
        .collect();
    assert_eq!(found.len(), 1, "{kind}");
    found.remove(0).to_str().unwrap().to_owned()
}

#[test]
fn old_memories_are_brought_in_reviewed_applied_and_taken_back() {
    let mut script = Script::new();
    fs::write(script.folder().join("MEMORY.md"), NOTES).unwrap();
    let import = ["adopt", "import", "markdown", "MEMORY.md", "--scope", "user:ann"];
    script.run(&[&import[..], &["--dry-run"]].concat()).ok();
    script.run(&import).ok();
    script.run(&import).ok();
    script.run(&["recall", "--as", "user:ann", "bicycle"]).ok();
    script.run(&["recall", "--as", "user:ann", "--block", "bicycle"]).ok();
    script.run(&["adopt", "audit"]).ok();
    let review = paper(&script, "review");
    script.run(&["adopt", "review", &review]).ok();
    script.run(&["adopt", "seal", &review]).exits(1);
    script.run(&["adopt", "review", &review, "--approve-safe"]).exits(7);
    script.run(&["adopt", "review", &review, "--approve-safe", "--yes"]).ok();
    script.run(&["adopt", "review", &review, "--decide", "g1=defer", "--note", "g1=ask", "--yes"]).ok();
    script.run(&["adopt", "seal", &review, "--as", "user:ann"]).ok();
    let sealed = paper(&script, "sealed");
    script.run(&["adopt", "apply", &sealed]).exits(7);
    script.run(&["adopt", "apply", &sealed, "--yes"]).ok();
    script.run(&["adopt", "apply", &sealed, "--yes"]).ok();
    script.run(&["adopt", "list", "--adoptions"]).ok();
    script.run(&["adopt", "census"]).ok();
    script.run(&["recall", "--as", "user:ann", "bicycle"]).ok();
    let told = script.quiet(&["adopt", "list", "--adoptions", "--json"]).ok().json();
    let adoption = told["adoptions"][0]["adoption"].as_str().unwrap().to_owned();
    script.run(&["adopt", "rollback", &adoption]).exits(7);
    script.run(&["adopt", "rollback", &adoption, "--yes"]).ok();
    script.run(&["adopt", "rollback", &adoption, "--yes"]).ok();
    script.run(&["recall", "--as", "user:ann", "bicycle"]).ok();
    script.run(&["adopt", "audit", "--show"]).ok();
    script.run(&["ledger", "check"]).ok();
    insta::assert_snapshot!(script.told());
}

#[test]
fn what_is_wrong_is_said_and_changes_nothing() {
    let mut script = brought();
    script.run(&["adopt", "import", "frobnicate", "MEMORY.md", "--scope", "user:ann"]).exits(2);
    script.run(&["adopt", "import", "markdown", "nowhere.md", "--scope", "user:ann"]).exits(1);
    script.run(&["adopt", "import", "mem0", "MEMORY.md", "--scope", "user:ann"]).exits(2);
    script.run(&["adopt", "import", "markdown", "MEMORY.md", "--scope", "nonsense"]).exits(2);
    script
        .run(&["adopt", "import", "markdown", "MEMORY.md", "--scope", "user:ann", "--as", "user:bob"])
        .exits(4);
    script.run(&["adopt", "list", "--limit", "0"]).exits(2);
    script.run(&["adopt", "audit", "--owner", "user:nobody"]).ok();
    script.run(&["adopt", "rollback", "01981f6e-6a1c-8c3e-8f0a-0123456789ab", "--yes"]).exits(3);
    script.run(&["adopt", "rollback", "x", "--yes"]).exits(2);
    script.run(&["adopt", "apply", "MEMORY.md", "--yes"]).exits(2);
    script.run(&["adopt", "review", "MEMORY.md"]).exits(2);
    script.run(&["adopt", "seal", "nowhere.toml"]).exits(1);
    let row =
        script.quiet(&["adopt", "list", "--json"]).ok().json()["rows"][0]["row"].as_str().unwrap().to_owned();
    script.run(&["facts", "get", &row]).exits(1);
    script.run(&["facts", "forget", &row]).exits(1);
    script.run(&["facts", "forget", &row, "01981f6e-6a1c-7c3e-8f0a-0123456789ab"]).exits(1);
    script.quiet(&["adopt", "audit"]).ok();
    let review = paper(&script, "review");
    script.run(&["adopt", "review", &review, "--decide", "g9=approve", "--yes"]).exits(2);
    script.run(&["adopt", "review", &review, "--decide", "g1=perhaps", "--yes"]).exits(2);
    script.run(&["adopt", "review", &review, "--approve-safe", "--yes", "--expect", "x"]).exits(5);
    insta::assert_snapshot!(script.told());
    assert_eq!(script.events(), 0);
}

/// What was sealed is read as it was written, or not at all; so is what a review is of.
#[test]
fn a_paper_that_was_edited_is_noticed() {
    let script = brought();
    script.quiet(&["adopt", "audit"]).ok();
    let review = paper(&script, "review");
    let text = fs::read_to_string(&review).unwrap();
    fs::write(&review, text.replace("green tea", "black tea")).unwrap();
    let told = script.quiet(&["adopt", "review", &review]).exits(2);
    assert!(told.err.contains("group g"), "{told:?}");
    fs::write(&review, text.replace("decision = \"pending\"", "decision = \"defer\"")).unwrap();
    script.quiet(&["adopt", "seal", &review]).ok();
    let sealed = paper(&script, "sealed");
    let text = fs::read_to_string(&sealed).unwrap();
    let edited = script.folder().join("edited.json");
    fs::write(&edited, text.replace("defer", "reject")).unwrap();
    let told = script.quiet(&["adopt", "apply", edited.to_str().unwrap(), "--yes"]).exits(2);
    assert!(told.err.contains("changed after it was sealed"), "{told:?}");
}

#[cfg(unix)]
#[test]
fn papers_are_their_owners_alone_and_never_written_over() {
    use std::os::unix::fs::PermissionsExt as _;

    let script = brought();
    script.quiet(&["adopt", "audit"]).ok();
    let review = paper(&script, "review");
    let choices = ["--approve-safe", "--decide", "g1=reject", "--yes"];
    script.quiet(&[&["adopt", "review", &review][..], &choices].concat()).ok();
    script.quiet(&["adopt", "seal", &review]).ok();
    let mode = |path: &str| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let (audit, sealed) = (paper(&script, "audit"), paper(&script, "sealed"));
    let folder = script.folder().join(".local/share/truthkeeper/adoption");
    let modes = [mode(folder.to_str().unwrap()), mode(&audit), mode(&review), mode(&sealed)];
    assert_eq!(modes, [0o700, 0o400, 0o600, 0o400]);
    // A folder that others can look into, and one that would be published.
    let open = script.folder().join("open");
    fs::create_dir(&open).unwrap();
    fs::set_permissions(&open, fs::Permissions::from_mode(0o755)).unwrap();
    let told = script.quiet(&["adopt", "audit", "--folder", "open"]).exits(2);
    assert!(told.err.contains("others can look into"), "{told:?}");
    fs::create_dir_all(script.folder().join("work/.git")).unwrap();
    let told = script.quiet(&["adopt", "audit", "--folder", "work/deep/papers"]).exits(2);
    assert!(told.err.contains("source tree"), "{told:?}");
    assert!(!script.folder().join("work/deep").exists());
}

#[test]
fn every_row_of_a_source_is_accounted_for() {
    let script = Script::new();
    let lines = [
        r#"{"text":"Ann drinks tea","id":"1"}"#,
        r#"{"text":"Ann drinks tea","id":"1"}"#,
        "",
        r#"{"text":"   "}"#,
        r#"{"text":"Bob drinks tea","owner":"bob"}"#,
        r#"{"txt":"Ann"}"#,
        "no json",
        r#"{"text":"Ann rides","owner":"4711","validUntil":"tomorrow"}"#,
    ]
    .join("\n");
    fs::write(script.folder().join("old.ndjson"), lines).unwrap();
    let import = ["adopt", "import", "ndjson", "old.ndjson", "--scope", "user:ann", "--json"];
    let told = script.quiet(&[&import[..], &["--whose", "4711"]].concat()).exits(1).json();
    let count = |name: &str| told[name].as_u64().unwrap();
    let sum =
        |name: &str| told[name].as_object().unwrap().values().map(|one| one.as_u64().unwrap()).sum::<u64>();
    let all = count("taken") + count("known") + count("refused") + sum("skipped") + sum("notTaken");
    assert_eq!((count("rows"), all), (8, 8), "{told}");
    assert_eq!((count("taken"), sum("notTaken")), (2, 1), "{told}");
    let rows = script.quiet(&["adopt", "list", "--json"]).ok().json();
    let malformed =
        rows["rows"].as_array().unwrap().iter().find(|row| row["memory"]["owner"] == "4711").unwrap();
    assert_eq!(malformed["memory"]["malformed"][0], "validUntil");
}

// REC-10: what was adopted and goes out is not doubled where it came from, nor where it goes
#[test]
fn an_export_of_what_was_adopted_doubles_nothing() {
    let script = brought();
    script.quiet(&["adopt", "audit"]).ok();
    let review = paper(&script, "review");
    let choices = ["--approve-safe", "--decide", "g1=reject", "--yes"];
    script.quiet(&[&["adopt", "review", &review][..], &choices].concat()).ok();
    script.quiet(&["adopt", "seal", &review]).ok();
    script.quiet(&["adopt", "apply", &paper(&script, "sealed"), "--yes"]).ok();
    let exported = script.quiet(&["facts", "export"]).ok().out;
    assert_eq!(exported.lines().count(), 2);
    let texts = |script: &Script| {
        let mut listed: Vec<String> = script.quiet(&["facts", "list", "--json"]).ok().json()["facts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|fact| format!("{} {}", fact["content"]["text"], fact["scope"]))
            .collect();
        listed.sort();
        listed
    };
    let other = Script::new();
    for _ in 0..2 {
        script.quiet_with(&["facts", "import", "-"], &exported).ok();
        other.quiet_with(&["facts", "import", "-"], &exported).ok();
        assert_eq!((texts(&script).len(), texts(&script)), (2, texts(&other)));
    }
    // Nor is what was exported taken as old memories anew.
    let again =
        script.quiet(&["adopt", "import", "markdown", "MEMORY.md", "--scope", "user:ann", "--json"]).ok();
    assert_eq!(again.json()["taken"], 0);
}

// Nothing that was decided is lost, however many decide at once
#[test]
fn those_who_decide_at_once_wait_for_each_other() {
    let script = Script::new();
    let notes: String = (0..8).map(|number| format!("- Ann has errand {number}\n")).collect();
    fs::write(script.folder().join("MEMORY.md"), notes).unwrap();
    script.quiet(&["adopt", "import", "markdown", "MEMORY.md", "--scope", "user:ann"]).ok();
    let audit = script.quiet(&["adopt", "audit", "--json"]).ok().json();
    let review = paper(&script, "review");
    let group = &audit["audit"]["groups"][0];
    let decided: Vec<String> = group["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| format!("{}/{}=reject", group["id"].as_str().unwrap(), row["row"].as_str().unwrap()))
        .collect();
    let mut deciding: Vec<_> = decided
        .iter()
        .map(|decision| script.spawn(&["adopt", "review", &review, "--decide", decision, "--yes"]))
        .collect();
    for child in &mut deciding {
        assert!(child.wait().unwrap().success());
    }
    let text = fs::read_to_string(&review).unwrap();
    assert_eq!(
        text.matches("decision = \"reject\"").count(),
        decided.len() + 1,
        "and the one of the header: {text}"
    );
    // The same again is answered as before, whatever version it is bound to.
    let words = ["adopt", "review", &review, "--decide", &decided[0], "--yes", "--expect", "before"];
    script.quiet(&words).ok();
}

#[test]
fn what_is_refused_says_why_each_time() {
    let script = Script::new();
    let line = r#"{"text":"Ann lives in Paris","id":"1","key":"home","type":"acme.home"}"#;
    fs::write(script.folder().join("old.ndjson"), line).unwrap();
    let import = ["adopt", "import", "ndjson", "old.ndjson", "--scope", "user:ann"];
    script.quiet(&[&import[..], &["--dry-run"]].concat()).ok();
    assert!(!script.folder().join("memory.db").exists(), "nothing is made");
    script.quiet(&import).ok();
    script.quiet(&["adopt", "audit"]).ok();
    let review = paper(&script, "review");
    script.quiet(&["adopt", "review", &review, "--approve-safe", "--yes"]).ok();
    script.quiet(&["adopt", "seal", &review]).ok();
    let home = ["--scope", "user:ann", "--type", "acme.home", "--key", "home", "--text", "Ann lives in Oslo"];
    script.quiet(&[&["facts", "write"][..], &home].concat()).ok();
    let sealed = paper(&script, "sealed");
    let told = script.quiet(&["adopt", "apply", &sealed, "--yes"]).exits(1);
    assert!(told.out.contains("has its key"), "{told:?}");
    let again = script.quiet(&["adopt", "apply", &sealed, "--yes"]).ok();
    assert!(again.out.contains("already applied") && again.out.contains("has its key"), "{again:?}");
}

#[test]
fn a_way_that_leads_into_a_source_tree_is_none() {
    let script = Script::new();
    fs::write(script.folder().join("old.ndjson"), r#"{"text":"Ann drinks tea"}"#).unwrap();
    script.quiet(&["adopt", "import", "ndjson", "old.ndjson", "--scope", "user:ann"]).ok();
    fs::create_dir_all(script.folder().join("work/.git")).unwrap();
    let told = script.quiet(&["adopt", "audit", "--folder", "nope/../work/papers"]).exits(2);
    assert!(told.err.contains("source tree"), "{told:?}");
    assert!(!script.folder().join("nope").exists() && !script.folder().join("work/papers").exists());
}
