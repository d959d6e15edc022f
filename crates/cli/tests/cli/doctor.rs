//! What the doctor finds on this machine, and that what it names mends it.

use std::fs;
use std::path::Path;

use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;

use super::install::{CANARY, Case, INDEX, LEDGER, fail, meddle, mend, sound, steady};
use super::script::{Ran, Script};

#[test]
fn the_doctor_finds_what_is_wrong_and_names_what_mends_it() {
    let wrong: [Case; 10] = [
        ("permissions", |script| open(script.folder())),
        ("configuration", |script| {
            let folder = script.folder().join(".local/share/truthkeeper");
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("embeddings.json"), "nonsense").unwrap();
        }),
        ("migrations", |script| {
            let older = "DROP TABLE drift_days; DELETE FROM migrations WHERE number = 8";
            meddle(script, LEDGER, older);
        }),
        ("engine", |script| meddle(script, LEDGER, "PRAGMA journal_mode = DELETE")),
        ("ledger", |script| meddle(script, LEDGER, "UPDATE revisions SET state = 'retracted'")),
        ("queue", fail),
        ("drift", |script| meddle(script, INDEX, "DELETE FROM entries")),
        ("drift", |script| meddle(script, INDEX, "DELETE FROM words_data WHERE id > 10")),
        ("drift", |script| {
            for more in ["-wal", "-shm"] {
                drop(fs::remove_file(script.folder().join(format!("{INDEX}{more}"))));
            }
            fs::write(script.folder().join(INDEX), vec![b'x'; 8_192]).unwrap();
        }),
        ("embedder", |script| {
            script.quiet(&["models", "use", "http://127.0.0.1:9", "--model", "m"]).ok();
        }),
    ];
    let mut all = sound();
    close(all.folder());
    all.run(&["doctor"]).ok();
    let mut told = all.told();
    for (check, provoke) in wrong {
        let mut script = sound();
        provoke(&script);
        let seen = script.run(&["doctor", check]).exits(1);
        mend(&script, &seen.out);
        script.quiet(&["doctor", check]).ok();
        told += &script.told();
    }
    assert!(!told.contains(CANARY));
    insta::assert_snapshot!(steady(&told));
}

#[cfg(unix)]
fn close(folder: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).unwrap();
}

#[cfg(unix)]
fn open(folder: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    for file in fs::read_dir(folder).unwrap() {
        fs::set_permissions(file.unwrap().path(), fs::Permissions::from_mode(0o644)).unwrap();
    }
}

/// Everything at once is wrong with what holds the canary, and everything is logged.
#[test]
fn no_log_and_no_trace_tells_what_is_remembered() {
    let script = sound();
    fail(&script);
    let broken = "DROP TRIGGER contents_never_change;
        UPDATE contents SET doc = REPLACE(doc, 'canary4711', 'canary4711!'), name = 'canary4711';
        UPDATE revisions SET statement = 'canary4711'";
    meddle(&script, LEDGER, broken);
    meddle(&script, INDEX, "UPDATE words_content SET c1 = 'canary4711'; DELETE FROM entries WHERE id = 1");
    for words in [
        &["doctor"][..],
        &["doctor", "--json"],
        &["ledger", "check"],
        &["projections", "check"],
        &["projections", "status"],
        &["status"],
        &["status", "--json"],
        &["settings", "list"],
    ] {
        let mut command = script.command(words);
        let told = Ran::of(command.env("MEMORY_LOG", "trace").env("RUST_BACKTRACE", "1").output().unwrap());
        assert!(!told.out.contains(CANARY) && !told.err.contains(CANARY), "{words:?}: {told:#?}");
    }
}

/// What no command mends: the message says what is to be done, or the way is to load a dump into a new store.
#[test]
fn the_doctor_finds_what_no_command_mends() {
    let script = sound();
    let mut command = script.command(&["doctor", "configuration"]);
    let told = Ran::of(command.env("MEMORY_BUSY_SECONDS", "soon").output().unwrap()).exits(1);
    assert!(
        told.out.contains("MEMORY_BUSY_SECONDS must be a whole number from 0 to 3600 (`unset"),
        "{told:?}"
    );
    let last = "recorded_at = (SELECT max(recorded_at) FROM events)";
    let moved = |by: &str| {
        let table = |name: &str| format!("UPDATE {name} SET recorded_at = recorded_at {by} WHERE {last};");
        format!("DROP TRIGGER IF EXISTS events_never_change; {}{}", table("tenants"), table("events"))
    };
    meddle(&script, LEDGER, &moved("+ 3600000000"));
    let told = script.quiet(&["doctor", "clock", "--json"]).exits(1).json();
    let finding = &told["checks"][0]["findings"][0];
    assert_eq!((&finding["kind"], &told["problems"]), (&"clock-behind".into(), &1.into()));
    meddle(&script, LEDGER, &moved("- 3600000000"));
    script.quiet(&["doctor", "clock"]).ok();
    tear(&script);
    let told = script.quiet(&["doctor", "integrity"]).exits(1);
    assert!(told.out.contains("integrity"), "{told:?}");
    script.quiet(&["doctor", "frobnicate"]).exits(2);
    script.quiet(&["doctor", "--as", "user:ann"]).exits(4);
}

/// Overwrites the first page of a table.
fn tear(script: &Script) {
    meddle(script, LEDGER, "PRAGMA wal_checkpoint(TRUNCATE)");
    let path = script.folder().join(LEDGER);
    let mut bytes = fs::read(&path).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let page: i64 = runtime.block_on(async {
        let mut database = SqliteConnectOptions::new().filename(&path).connect().await.unwrap();
        let asked = "SELECT rootpage FROM sqlite_schema WHERE name = 'receipts'";
        sqlx::query_scalar(asked).fetch_one(&mut database).await.unwrap()
    });
    let begin = usize::try_from(page - 1).unwrap() * 4_096;
    bytes[begin..begin + 64].fill(0xff);
    fs::write(&path, bytes).unwrap();
}

/// A file system of few bytes, where mounting is permitted.
#[cfg(target_os = "linux")]
#[test]
fn the_doctor_finds_that_there_is_little_room() {
    let script = Script::new();
    let folder = script.folder().join("small");
    fs::create_dir(&folder).unwrap();
    let run = |words: &[&str]| std::process::Command::new(words[0]).args(&words[1..]).arg(&folder).output();
    let mounted = run(&["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs"]);
    if !mounted.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: cannot mount");
        return;
    }
    let db = folder.join("memory.db");
    let db = db.to_str().unwrap();
    script.quiet(&["facts", "write", "--type", "acme.note", "--text", "one", "--db", db]).ok();
    let told = script.quiet(&["doctor", "space", "--db", db]).exits(1);
    let grown = run(&["mount", "-o", "remount,size=512m"]);
    let mended = script.quiet(&["doctor", "space", "--db", db]);
    run(&["umount", "-l"]).unwrap();
    assert!(told.out.contains(" MiB free in "), "{told:?}");
    assert!(grown.unwrap().status.success() && mended.code == Some(0), "{mended:?}");
}
