//! A service under load: stopped, killed, and looked at by other commands meanwhile.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::script::Script;

/// A service that runs, and whom it answers.
pub(super) struct Serving {
    child: Child,
    pub(super) said: Value,
    pub(super) host: String,
    pub(super) key: String,
    _out: BufReader<ChildStdout>,
}

impl Serving {
    /// Starts it, and reads what it says: in JSON. `key` is one that the store has already.
    pub(super) fn start(script: &Script, words: &[&str], key: Option<&str>) -> Self {
        let mut child = script.spawn(&[&["serve", "--listen", "127.0.0.1:0", "--json"], words].concat());
        let mut said = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        while !said.ends_with("}\n") {
            assert_ne!(out.read_line(&mut said).unwrap(), 0, "{said}");
        }
        let said: Value = serde_json::from_str(&said).unwrap();
        let host = said["address"].as_str().unwrap().strip_prefix("http://").unwrap().to_owned();
        let key = key.or(said["firstKey"].as_str()).unwrap().to_owned();
        Self { child, said, host, key, _out: out }
    }

    pub(super) fn get(&self, path: &str) -> String {
        let head =
            format!("GET {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n", self.host, self.key);
        call(&self.host, &format!("{head}Connection: close\r\n\r\n")).unwrap()
    }

    /// Writes facts until nobody answers any more; gives those that were acknowledged.
    fn writer(&self, name: usize, written: &Arc<AtomicUsize>) -> JoinHandle<Vec<String>> {
        let (host, key, written) = (self.host.clone(), self.key.clone(), Arc::clone(written));
        std::thread::spawn(move || {
            let mut acknowledged = Vec::new();
            for number in 0.. {
                let body = format!("{{\"type\":\"acme.note\",\"content\":\"tea {name} {number}\"}}");
                let head = format!(
                    "POST /v1/memory/facts HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\nContent-Type: \
                     application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                    body.len()
                );
                let Ok(answer) = call(&host, &head) else { break };
                // A piece of an answer is no acknowledgement.
                let Some(said) =
                    answer.split("\r\n\r\n").nth(1).and_then(|body| serde_json::from_str::<Value>(body).ok())
                else {
                    break;
                };
                assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
                acknowledged.push(said["id"].as_str().unwrap().to_owned());
                written.fetch_add(1, Ordering::Relaxed);
            }
            acknowledged
        })
    }

    /// Four writers, which have written some when this returns.
    fn load(&self) -> Vec<JoinHandle<Vec<String>>> {
        let written = Arc::new(AtomicUsize::new(0));
        let writers = (0..4).map(|name| self.writer(name, &written)).collect();
        while written.load(Ordering::Relaxed) < 24 {
            std::thread::sleep(Duration::from_millis(5));
        }
        writers
    }

    /// Sends a signal and waits for the end; gives the exit code.
    pub(super) fn signalled(mut self, signal: &str) -> Option<i32> {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Serving {
    /// A test that fails leaves no service behind.
    fn drop(&mut self) {
        drop(self.child.kill());
    }
}

fn call(host: &str, request: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(host)?;
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

/// Checks that the store is sound and has every one of these facts.
fn has_all(script: &Script, writers: Vec<JoinHandle<Vec<String>>>) {
    script.quiet(&["ledger", "check"]).ok();
    let listed = script.quiet(&["facts", "list", "--limit", "10000"]).ok().out;
    let mut all = 0;
    for id in writers.into_iter().flat_map(|writer| writer.join().unwrap()) {
        assert!(listed.contains(&id), "{id} was acknowledged and is not there");
        all += 1;
    }
    assert!(all >= 24, "{all}");
}

#[test]
#[cfg(unix)]
fn a_service_that_is_stopped_under_load_closes_in_good_order() {
    let script = Script::new();
    let serving = Serving::start(&script, &["--rate-limit", "0"], None);
    let writers = serving.load();
    let began = Instant::now();
    assert_eq!(serving.signalled("-TERM"), Some(0));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    for end in ["memory.db-wal", "memory.db-shm", "memory.index.db-wal", "memory.index.db-shm"] {
        assert!(!script.folder().join(end).exists(), "{end}");
    }
    has_all(&script, writers);
    // What was acknowledged is in the search index too, or still on its way there.
    script.quiet(&["projections", "check"]).ok();
}

#[test]
#[cfg(unix)]
fn a_service_that_is_killed_loses_nothing_that_it_acknowledged() {
    let script = Script::new();
    let serving = Serving::start(&script, &["--rate-limit", "0"], None);
    let key = serving.key.clone();
    let writers = serving.load();
    assert_eq!(serving.signalled("-KILL"), None);
    let again = Serving::start(&script, &[], Some(&key));
    assert!(again.get("/readyz").starts_with("HTTP/1.1 200"));
    has_all(&script, writers);
    assert_eq!(again.signalled("-TERM"), Some(0));
}

#[test]
#[cfg(unix)]
fn other_commands_work_while_it_serves() {
    let script = Script::new();
    let serving = Serving::start(&script, &["--rate-limit", "0"], None);
    let writers = serving.load();
    let words: [&[&str]; 9] = [
        &["status"],
        &["facts", "list"],
        &["facts", "write", "--type", "acme.note", "--text", "coffee"],
        &["recall", "coffee"],
        &["projections", "status"],
        &["projections", "retry"],
        &["keys", "create", "second", "--right", "admin"],
        &["keys", "list"],
        &["ledger", "check"],
    ];
    for words in words {
        script.quiet(words).ok();
    }
    assert!(serving.get("/v1/memory/facts?type=acme.note").starts_with("HTTP/1.1 200"));
    assert_eq!(serving.signalled("-TERM"), Some(0));
    script.quiet(&["projections", "check"]).ok();
    has_all(&script, writers);
}

#[test]
#[cfg(unix)]
fn metrics_count_requests_by_route_and_name_nobody() {
    let script = Script::new();
    let serving = Serving::start(&script, &[], None);
    script
        .quiet(&[
            "facts",
            "write",
            "--type",
            "acme.note",
            "--scope",
            "user:canary4711",
            "--text",
            "canary4711",
        ])
        .ok();
    let id =
        script.quiet(&["facts", "list", "--json"]).ok().json()["facts"][0]["id"].as_str().unwrap().to_owned();
    serving.get(&format!("/v1/memory/facts/{id}"));
    serving.get("/v1/memory/facts?userId=canary4711");
    serving.get("/canary4711");
    let shown = serving.get("/metrics");
    for line in [
        "truthkeeper_http_requests_total{route=\"/v1/memory/facts/{id}\",method=\"GET\",status=\"2xx\"} 1",
        "truthkeeper_http_requests_total{route=\"unknown\",method=\"GET\",status=\"4xx\"} 1",
        "truthkeeper_http_request_seconds_count{route=\"/v1/memory/facts\",method=\"GET\"} 1",
        "truthkeeper_http_requests_in_flight 1",
        "truthkeeper_versions{state=\"active\"} 1",
        "# HELP truthkeeper_versions ",
    ] {
        assert!(shown.contains(line), "{line} in {shown}");
    }
    assert!(!shown.contains("canary4711") && !shown.contains(&id), "{shown}");
    let page =
        std::fs::read_to_string(format!("{}/../../docs/metrics.md", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let named = shown.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next());
    for name in named {
        assert!(page.contains(&format!("`{name}`")), "{name} is not in docs/metrics.md");
    }
    assert_eq!(serving.signalled("-INT"), Some(0));
}

#[test]
#[cfg(unix)]
fn the_demo_has_its_story_to_look_at_and_leaves_nothing() {
    let script = Script::new();
    let serving = Serving::start(&script, &["--demo"], None);
    let store = serving.said["store"].as_str().unwrap().to_owned();
    assert!(!script.folder().join("memory.db").exists(), "the store of every day is left alone");
    let told: Vec<&str> =
        serving.said["story"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    insta::assert_snapshot!(told.join("\n").replace(&store, "[store]"));
    for line in &told {
        let words: Vec<&str> = line.split("memory --db ").nth(1).unwrap().split(' ').collect();
        let count: usize = line.split(' ').next().unwrap().parse().unwrap();
        let ran = script.quiet(&[&["--db"], &words[..], &["--as", "user:ana"]].concat()).ok();
        assert!(count > 0 && ran.out.lines().count() >= count, "{line}: {ran:?}");
    }
    assert!(serving.get("/v1/memory/conflicts").contains("\"key\":\"contact\""));
    let status = serving.get("/v1/memory/status");
    assert!(status.starts_with("HTTP/1.1 200"), "{status}");
    let ana = ["keys", "list", "--db", &store, "--json"];
    let ana = script.quiet(&ana).ok().json()["keys"].as_array().unwrap().len();
    assert_eq!(ana, 2, "the operator's, and Ana's, who decides");
    assert!(serving.said["ownersKey"].as_str().unwrap().starts_with("mem_"));
    assert_eq!(serving.signalled("-INT"), Some(0));
    assert!(!std::path::Path::new(&store).exists());
    // A store of one's own must be empty.
    script.quiet(&["facts", "write", "--type", "acme.note", "--text", "tea"]).ok();
    let db = script.folder().join("memory.db").display().to_string();
    let taken = script.quiet(&["serve", "--demo", "--listen", "127.0.0.1:0", "--db", &db]).exits(2);
    assert!(taken.err.contains("db: has facts already") && !taken.out.contains("mem_"), "{taken:?}");
}
