//! An install for tests: sound, then broken in some way, then mended by what the command itself names.

use std::process::Command;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _};

use super::script::{Ran, Script};

/// What nobody may find in what these commands say.
pub(super) const CANARY: &str = "canary4711";

/// Facts with a canary in every place, and every check made.
pub(super) fn sound() -> Script {
    let script = Script::new();
    write(&script, "green tea");
    see_to(&script);
    script
}

pub(super) fn write(script: &Script, text: &str) {
    let said = format!("{text} {CANARY}");
    let words = ["facts", "write", "--type", "acme.note", "--scope", "user:ann", "--text", &said];
    let more = ["--key", &said, "--tag", CANARY, "--reason", CANARY];
    script.quiet(&[&words[..], &more].concat()).ok();
}

pub(super) fn see_to(script: &Script) {
    script.quiet(&["projections", "check"]).ok();
    script.quiet(&["ledger", "check"]).ok();
}

/// Changes a database of the store as nobody should.
pub(super) fn meddle(script: &Script, file: &str, statements: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let options = SqliteConnectOptions::new().filename(script.folder().join(file));
        let mut database = options.connect().await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(statements.to_owned())).execute(&mut database).await.unwrap();
        database.close().await.unwrap();
    });
}

/// A name, and what is done to a sound install.
pub(super) type Case = (&'static str, fn(&Script));

pub(super) const LEDGER: &str = "memory.db";
pub(super) const INDEX: &str = "memory.index.db";
pub(super) const POISON: &str =
    "CREATE TRIGGER poison BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'no'); END";

/// Every attempt is used up, and then the cause is gone.
pub(super) fn fail(script: &Script) {
    meddle(script, INDEX, POISON);
    write(script, "bitter tea");
    meddle(script, LEDGER, "UPDATE operations SET attempts = 3 WHERE error IS NOT NULL");
    meddle(script, INDEX, "DROP TRIGGER poison");
}

/// Runs what stands in backquotes after each finding, as it stands there.
pub(super) fn mend(script: &Script, told: &str) {
    for (command, _) in told.split("(`").skip(1).filter_map(|rest| rest.split_once("`)")) {
        let memory = env!("CARGO_BIN_EXE_memory");
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("memory() {{ '{memory}' \"$@\"; }}; {command}"));
        shell.current_dir(script.folder()).env("HOME", script.folder()).env("USER", "ops");
        shell.env("MEMORY_DB", script.folder().join(LEDGER)).env_remove("XDG_DATA_HOME");
        Ran::of(shell.output().unwrap()).ok();
    }
}

/// Without what differs from run to run.
pub(super) fn steady(told: &str) -> String {
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
