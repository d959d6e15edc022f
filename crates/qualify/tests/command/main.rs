//! The command as an operator meets it: what it prints, how it ends, and that it leaves everything as it was.
#![cfg(test)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;
use truthkeeper::{Caller, Draft, Id, Memory, Setting, SettingKey};

const CANARY: &str = "CANARY-7f3a";

/// An install in a folder of its own.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn db(&self) -> PathBuf {
        self.folder.path().join("memory.db")
    }

    fn snapshot(&self) -> PathBuf {
        self.folder.path().join("snapshot.json")
    }

    /// Records a fact, sets a model, and makes every check.
    async fn sound() -> Self {
        let place = Self::new();
        let memory = place.open().await;
        remember(&memory, CANARY).await;
        let key = SettingKey { field: "model".to_owned(), ..SettingKey::default() };
        memory.set_default(local(), Setting { key, value: "small-1".to_owned() }).await.unwrap();
        see_to(&memory).await;
        place
    }

    async fn open(&self) -> Memory {
        Memory::open(self.db().to_str().unwrap()).await.unwrap()
    }

    fn run(&self, more: &[&str]) -> Output {
        let mut command = command();
        command.arg("--db").arg(self.db()).arg("--snapshot").arg(self.snapshot()).args(more);
        command.output().unwrap()
    }
}

fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memory_qualification"));
    command.env("RUST_BACKTRACE", "1");
    command
}

fn local() -> Id {
    Id::parse("tenant", "local").unwrap()
}

async fn remember(memory: &Memory, text: &str) {
    let said = serde_json::json!({
        "type": "acme.note", "scope": {"userId": "ann"}, "content": {"text": text},
        "key": CANARY, "tags": [CANARY], "reason": CANARY,
    });
    let caller = Caller::operator(local(), Id::parse("id", "olga").unwrap());
    memory.remember(&caller, None, Draft::from_json(said, &local()).unwrap()).await.unwrap();
}

async fn see_to(memory: &Memory) {
    memory.check_index(&local(), None, |_| {}).await.unwrap();
    memory.check(|_| {}).await.unwrap();
}

/// What was printed, without what differs from run to run.
#[track_caller]
fn told(output: &Output, code: i32) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}{err}");
    assert!(!out.contains(CANARY) && !err.contains(CANARY) && !err.contains("panicked"), "{out}{err}");
    let lines = out.lines().map(|line| {
        let line = line.split(" since 20").next().unwrap();
        if line.contains("storage: active") {
            return "PASS storage: active, [sizes]".to_owned();
        }
        match line.split_once(" s ago") {
            Some((before, after)) => {
                format!("{}[n] s ago{after}", before.trim_end_matches(|c: char| c.is_ascii_digit()))
            }
            None => line.to_owned(),
        }
    });
    let err = err.lines().map(|line| format!("! {line}"));
    lines.chain(err).collect::<Vec<_>>().join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sound_install_passes_twice() {
    let place = Place::sound().await;
    let first = told(&place.run(&[]), 0);
    insta::assert_snapshot!(first);
    let kept = fs::read_to_string(place.snapshot()).unwrap();
    assert!(!kept.contains(CANARY) && kept.contains("small-1"));
    let second = told(&place.run(&[]), 0);
    assert!(second.contains("PASS defaults: 1 setting, unchanged\nPASS chain: whole"), "{second}");
    let memory = place.open().await;
    remember(&memory, &format!("{CANARY} again")).await;
    let key = SettingKey { field: "model".to_owned(), ..SettingKey::default() };
    memory.set_default(local(), Setting { key, value: "large-2".to_owned() }).await.unwrap();
    insta::assert_snapshot!(told(&place.run(&[]), 1));
    see_to(&memory).await;
    told(&place.run(&["--record"]), 0);
    told(&place.run(&[]), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_looked_into_fails() {
    let place = Place::new();
    let db = place.db();
    let missing = told(&place.run(&[]), 1);
    assert_eq!(missing, format!("! error: there is no memory at {}", db.display()));
    fs::write(&db, b"").unwrap();
    insta::assert_snapshot!(told(&place.run(&[]), 1));
    fs::write(&db, [b'x'; 8_192]).unwrap();
    let corrupt = told(&place.run(&[]), 1);
    assert!(
        corrupt.starts_with("FAIL store: ") && corrupt.ends_with("memory qualification: FAILED"),
        "{corrupt}"
    );
    assert_eq!(fs::read(&db).unwrap(), [b'x'; 8_192]);
    assert!(!place.snapshot().exists());
}

#[test]
fn a_wrong_command_line_ends_with_two() {
    for words in [&[][..], &["--db", "x"], &["--db", "x", "--snapshot", "y", "--frobnicate"]] {
        assert_eq!(command().args(words).output().unwrap().status.code(), Some(2), "{words:?}");
    }
}

/// What is damaged stays as it is, and what is named sets it aside.
#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_snapshot_is_set_aside_by_the_command_that_is_named() {
    let place = Place::sound().await;
    fs::write(place.snapshot(), "{\"format").unwrap();
    let told = told(&place.run(&[]), 1);
    assert_eq!(fs::read_to_string(place.snapshot()).unwrap(), "{\"format");
    let mend = told.split('`').nth(1).unwrap();
    assert!(Command::new("sh").args(["-c", mend]).status().unwrap().success(), "{mend}");
    assert_eq!(place.run(&[]).status.code(), Some(0));
    assert!(place.snapshot().exists());
}

/// A snapshot that cannot be written is no pass.
#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_that_cannot_be_written_fails() {
    let place = Place::sound().await;
    let mut command = command();
    command.arg("--db").arg(place.db()).arg("--snapshot").arg(Path::new("/proc/none/snapshot.json"));
    let output = command.output().unwrap();
    assert!(told(&output, 1).contains("FAIL snapshot: "));
}
