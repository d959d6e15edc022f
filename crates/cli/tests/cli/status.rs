//! How an install stands, and that what a gap names mends it.

use std::fs;

use super::install::{CANARY, Case, INDEX, LEDGER, fail, meddle, mend, see_to, sound, steady, write};
use super::script::Script;

#[test]
fn a_sound_install_has_no_gaps() {
    let mut script = Script::new();
    script.run(&["status", "--check"]).exits(1);
    script.quiet(&["settings", "set", "model", "small-1"]).ok();
    script.run(&["status", "--check"]).exits(1);
    write(&script, "green tea");
    script.run(&["status", "--check"]).exits(1);
    see_to(&script);
    script.run(&["status", "--check"]).ok();
    assert!(!script.told().contains(CANARY));
    insta::assert_snapshot!(steady(&script.told()));
    let json = script.quiet(&["status", "--json"]).ok().json();
    assert_eq!((&json["gaps"], &json["areas"][0]["state"]), (&false.into(), &"active".into()));
    script.quiet(&["status", "--as", "user:ann"]).exits(4);
    for more in ["", "-wal", "-shm"] {
        drop(fs::remove_file(script.folder().join(format!("{INDEX}{more}"))));
    }
    script.quiet(&["status", "--check"]).ok();
    assert!(!script.folder().join(INDEX).exists(), "the index is not opened");
}

#[test]
fn each_gap_names_what_mends_it() {
    let gaps: [Case; 6] = [
        ("changed", |script| write(script, "coffee")),
        ("failed", fail),
        ("drifted", |script| {
            meddle(script, INDEX, "DELETE FROM entries");
            script.quiet(&["projections", "check"]).exits(1);
        }),
        ("damaged", |script| {
            meddle(script, INDEX, "DELETE FROM words_data WHERE id > 10");
            script.quiet(&["projections", "check"]).exits(1);
        }),
        ("altered", |script| {
            meddle(script, LEDGER, "UPDATE revisions SET state = 'retracted'");
            script.quiet(&["ledger", "check"]).exits(1);
        }),
        ("long log", |script| {
            script.quiet(&["facts", "list"]).ok();
            let log = fs::File::create(script.folder().join("memory.db-wal")).unwrap();
            log.set_len(300 << 20).unwrap();
        }),
    ];
    let mut told = String::new();
    for (name, provoke) in gaps {
        let script = sound();
        provoke(&script);
        let seen = script.quiet(&["status", "--check"]);
        told += &format!("# {name}: exit {}\n{}\n", seen.code.unwrap(), steady(&seen.out));
        mend(&script, &seen.out);
        let after = script.quiet(&["status"]).ok();
        mend(&script, &after.out);
        script.quiet(&["status", "--check"]).ok();
    }
    assert!(!told.contains(CANARY));
    insta::assert_snapshot!(super::redact::redacted(&told));
}

/// What is no memory, or not one that this version reads.
fn strange(script: &Script) -> Vec<(&'static str, Vec<u8>)> {
    let read = |script: &Script| fs::read(script.folder().join(LEDGER)).unwrap();
    let whole = read(script);
    meddle(script, LEDGER, "INSERT INTO migrations (number, checksum) VALUES (99, 'x')");
    let newer = read(script);
    meddle(script, LEDGER, "DELETE FROM migrations WHERE number IN (8, 99)");
    let older = read(script);
    fs::write(script.folder().join(LEDGER), whole).unwrap();
    vec![("empty", Vec::new()), ("corrupt", vec![b'x'; 8_192]), ("newer", newer), ("older", older)]
}

#[test]
fn what_is_no_memory_is_said_to_be_none() {
    let source = sound();
    let mut told = String::new();
    for (name, bytes) in strange(&source) {
        let mut script = Script::new();
        fs::write(script.folder().join(LEDGER), &bytes).unwrap();
        for words in [&["status", "--check"][..], &["doctor"]] {
            script.run(words).exits(1);
        }
        assert_eq!(fs::read(script.folder().join(LEDGER)).unwrap(), bytes, "{name}");
        told += &format!("# {name}\n{}", script.told());
    }
    let mut missing = Script::new();
    missing.run(&["status"]).exits(1);
    missing.run(&["doctor"]).exits(1);
    told += &format!("# missing\n{}", missing.told());
    insta::assert_snapshot!(steady(&told));
}
