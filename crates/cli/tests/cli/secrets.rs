//! A secret is refused or left out, as the environment has it, and is in nothing that the command writes.

use super::script::{Ran, Script};

const SAID: &str = "the wifi password is Xylophon1c";
const WRITE: [&str; 6] = ["facts", "write", "--type", "acme.note", "--text", SAID];

fn ran(script: &Script, words: &[&str], settings: &[(&str, &str)]) -> (Ran, String) {
    let output =
        script.command(words).env("MEMORY_LOG", "trace").envs(settings.iter().copied()).output().unwrap();
    let told = [&output.stdout[..], &output.stderr[..]].concat();
    (Ran::of(output), String::from_utf8(told).unwrap())
}

fn kept(script: &Script) -> bool {
    let files = std::fs::read_dir(script.folder()).unwrap();
    let mut files = files.filter_map(|file| std::fs::read(file.unwrap().path()).ok());
    files.any(|bytes| bytes.windows(8).any(|window| window.eq_ignore_ascii_case(b"ylophon1")))
}

#[test]
fn a_secret_is_refused_and_nothing_tells_it() {
    let script = Script::new();
    for words in [&WRITE[..], &[&WRITE[..], &["--json"]].concat()] {
        let (refused, told) = ran(&script, words, &[]);
        refused.exits(2);
        assert!(told.contains("content: holds a secret (found by: password)"), "{told}");
        assert!(!told.contains("ylophon"), "{told}");
    }
    let (recalled, told) = ran(&script, &["recall", SAID], &[]);
    recalled.ok();
    assert!(!told.contains("ylophon") && !kept(&script), "{told}");
}

#[test]
fn the_environment_says_what_becomes_of_one() {
    let script = Script::new();
    let (written, told) = ran(&script, &WRITE, &[("MEMORY_SECRETS", "redact")]);
    written.ok();
    assert!(!told.contains("ylophon") && !kept(&script), "{told}");
    let listed = script.quiet(&["facts", "list"]).ok().out;
    assert!(listed.contains("the wifi password is [redacted: password]"), "{listed}");
    let list = script.folder().join("values");
    std::fs::write(&list, "Marimba Quartz\n").unwrap();
    let listed = ["facts", "write", "--type", "acme.note", "--text", "it is Marimba%20Quartz"];
    let (refused, told) = ran(&script, &listed, &[("MEMORY_SECRET_VALUES", list.to_str().unwrap())]);
    refused.exits(2);
    assert!(told.contains("found by: listed-value") && !told.contains("arimba"), "{told}");
    for wrong in [("MEMORY_SECRETS", "perhaps"), ("MEMORY_SECRET_VALUES", "/nowhere/values")] {
        let (refused, _) = ran(&script, &["facts", "write", "--type", "a.b", "--text", "tea"], &[wrong]);
        refused.exits(if wrong.0 == "MEMORY_SECRETS" { 2 } else { 1 });
    }
    let (written, _) = ran(&script, &WRITE, &[("MEMORY_SECRETS", "off")]);
    written.ok();
    assert!(kept(&script), "the search for it would find it");
}
