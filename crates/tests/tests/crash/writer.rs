//! The process that dies, and what it acknowledged before.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use truthkeeper::FactId;
use truthkeeper_tests::script;

pub(super) const PROGRAM: &str = env!("CARGO_BIN_EXE_truthkeeper-writer");
const SIGABRT: i32 = 6;
const SIGKILL: i32 = 9;

/// What a writer acknowledged: the acts before this number, and the facts they were about.
#[derive(Debug, Default, Clone)]
pub(super) struct Acknowledged {
    pub(super) acts: u32,
    pub(super) facts: BTreeMap<u32, FactId>,
}

/// Follows the script until the place is met for the so-manieth time.
pub(super) fn dies_at(address: &str, place: &str, time: u32) -> Acknowledged {
    let mut child = start(&["script", address], Some(&format!("{place}:{time}")));
    let acknowledged = read(child.stdout.take().unwrap());
    assert_eq!(child.wait().unwrap().signal(), Some(SIGABRT), "{place} was not met {time} times");
    acknowledged
}

/// Follows the script and is killed after a while.
pub(super) fn is_killed(address: &str, after: Duration) -> Acknowledged {
    let mut child = start(&["script", address], None);
    let out = child.stdout.take().unwrap();
    let reading = std::thread::spawn(move || read(out));
    std::thread::sleep(after);
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(SIGKILL), "it lives until it is killed");
    reading.join().unwrap()
}

/// Dies in the middle of a work that acknowledges nothing before its end, such as a load.
pub(super) fn dies_working(words: &[&str], place: &str) {
    let child = start(words, Some(place));
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.signal(), Some(SIGABRT), "{place} was not met");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "");
}

fn start(words: &[&str], place: Option<&str>) -> Child {
    let mut command = Command::new(PROGRAM);
    command.args(words).stdout(Stdio::piped());
    match place {
        Some(place) => command.env("TRUTHKEEPER_CRASH_AT", place),
        None => command.env_remove("TRUTHKEEPER_CRASH_AT"),
    };
    command.spawn().unwrap()
}

/// Whole lines only: one that was cut is not acknowledged.
fn read(out: ChildStdout) -> Acknowledged {
    let mut acknowledged = Acknowledged::default();
    let mut out = BufReader::new(out);
    let mut line = String::new();
    while out.read_line(&mut line).unwrap() > 0 && line.ends_with('\n') {
        let (number, fact) = line.trim_end().split_once(' ').unwrap();
        let number: u32 = number.parse().unwrap();
        assert_eq!(number, acknowledged.acts);
        let (group, act) = script::act(number);
        if act == script::Act::Create {
            acknowledged.facts.insert(group, FactId::parse(fact).unwrap());
        }
        acknowledged.acts += 1;
        line.clear();
    }
    acknowledged
}
