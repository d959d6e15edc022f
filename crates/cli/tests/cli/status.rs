//! How an install stands, and that what a gap names mends it.

use std::fs;
use std::process::Command;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _};

use super::script::{Ran, Script};

/// What nobody may find in what these commands say.
const CANARY: &str = "canary4711";

/// Facts with a canary in every place, and every check made.
fn sound() -> Script {
    let script = Script::new();
    write(&script, "green tea");
    see_to(&script);
    script
}

fn write(script: &Script, text: &str) {
    let said = format!("{text} {CANARY}");
    let words = ["facts", "write", "--type", "acme.note", "--scope", "user:ann", "--text", &said];
    let more = ["--key", &said, "--tag", CANARY, "--reason", CANARY];
    script.quiet(&[&words[..], &more].concat()).ok();
}

fn see_to(script: &Script) {
    script.quiet(&["projections", "check"]).ok();
    script.quiet(&["ledger", "check"]).ok();
}

/// Changes a database of the store as nobody should.
fn meddle(script: &Script, file: &str, statements: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let options = SqliteConnectOptions::new().filename(script.folder().join(file));
        let mut database = options.connect().await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(statements.to_owned())).execute(&mut database).await.unwrap();
        database.close().await.unwrap();
    });
}

const LEDGER: &str = "memory.db";
const INDEX: &str = "memory.index.db";
const POISON: &str = "CREATE TRIGGER poison BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'no'); END";

/// Every attempt is used up, and then the cause is gone.
fn fail(script: &Script) {
    meddle(script, INDEX, POISON);
    write(script, "bitter tea");
    meddle(script, LEDGER, "UPDATE operations SET attempts = 3 WHERE error IS NOT NULL");
    meddle(script, INDEX, "DROP TRIGGER poison");
}

/// Runs what stands in backquotes, as it stands there.
fn mend(script: &Script, told: &str) {
    for command in told.split('`').skip(1).step_by(2) {
        let memory = env!("CARGO_BIN_EXE_memory");
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("memory() {{ '{memory}' \"$@\"; }}; {command}"));
        shell.current_dir(script.folder()).env("HOME", script.folder()).env("USER", "ops");
        shell.env("MEMORY_DB", script.folder().join(LEDGER)).env_remove("XDG_DATA_HOME");
        Ran::of(shell.output().unwrap()).ok();
    }
}

/// Without what differs from run to run.
fn steady(told: &str) -> String {
    let lines = told.lines().map(|line| {
        if line.starts_with("storage") && line.contains("log") {
            return format!("{}[sizes]", &line[..37]);
        }
        let words: Vec<&str> = line.split(' ').collect();
        let ages = words.iter().enumerate().map(|(at, word)| {
            let unit = words.get(at + 1).map(|next| next.trim_end_matches([',', ';']));
            if word.parse::<u32>().is_ok() && unit == Some("s") { "[n]" } else { word }
        });
        ages.collect::<Vec<_>>().join(" ")
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

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
}

#[test]
fn each_gap_names_what_mends_it() {
    let gaps: [(&str, fn(&Script)); 6] = [
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
    meddle(script, LEDGER, "DELETE FROM migrations WHERE number IN (5, 99)");
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
        script.run(&["status", "--check"]).exits(1);
        assert_eq!(fs::read(script.folder().join(LEDGER)).unwrap(), bytes, "{name}");
        told += &format!("# {name}\n{}", script.told());
    }
    let mut missing = Script::new();
    missing.run(&["status"]).exits(1);
    told += &format!("# missing\n{}", missing.told());
    insta::assert_snapshot!(steady(&told));
}

#[test]
fn settings_are_kept_and_shown() {
    let mut script = Script::new();
    script.run(&["settings", "list"]).exits(1);
    script.run(&["settings", "set", "model", "small-1", "--channel", "web", "--agent", "desk"]).ok();
    script.run(&["settings", "set", "model:extraction", "tiny"]).ok();
    script.run(&["settings", "set", "model", "large-2", "--channel", "web", "--agent", "desk"]).ok();
    script.run(&["settings", "list"]).ok();
    script.run(&["settings", "list", "--json"]).ok();
    script.run(&["settings", "list", "--tenant", "acme"]).ok();
    script.run(&["settings", "set", "model", ""]).exits(2);
    script.run(&["settings", "set", "mo\u{7}del", "x"]).exits(2);
    script.run(&["settings", "set", "model", "x", "--as", "user:ann"]).exits(4);
    insta::assert_snapshot!(script.told());
}
