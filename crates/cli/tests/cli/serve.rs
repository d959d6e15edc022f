//! `memory serve`: what it says at the start, its first key, and how it ends.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command};

use serde_json::Value;

use super::script::Script;

/// Starts it, and reads what it says: in JSON.
fn started(script: &Script) -> (Child, Value) {
    let mut child = script.spawn(&["serve", "--listen", "127.0.0.1:0", "--json"]);
    let mut said = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    while !said.ends_with("}\n") {
        assert_ne!(out.read_line(&mut said).unwrap(), 0, "{said}");
    }
    (child, serde_json::from_str(&said).unwrap())
}

fn call(address: &str, path: &str, key: &str) -> String {
    let host = address.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let head = format!(
        "GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn told_to_end(mut child: Child, signal: &str) {
    let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(0), "{signal}");
}

#[test]
#[cfg(unix)]
fn the_first_start_makes_a_key_and_the_others_none() {
    let script = Script::new();
    let (child, said) = started(&script);
    let (address, key) = (said["address"].as_str().unwrap(), said["firstKey"].as_str().unwrap());
    assert!(
        said["store"].as_str().unwrap().ends_with("memory.db")
            && said["search"].as_str().unwrap().starts_with("keyword")
    );
    assert!(address.starts_with("http://127.0.0.1:"));
    script.quiet(&["facts", "write", "--type", "acme.note", "--text", "tea"]).ok();
    assert!(call(address, "/v1/memory/facts", key).contains("\"tea\""), "commands work while it runs");
    assert!(call(address, "/v1/memory/status", key).starts_with("HTTP/1.1 200"));
    let taken = script.quiet(&["serve", "--listen", address.strip_prefix("http://").unwrap()]).exits(1);
    assert!(taken.err.contains("cannot listen on 127.0.0.1:") && !taken.out.contains("mem_"), "{taken:?}");
    assert!(taken.err.contains("hint: --listen names another address"), "{taken:?}");
    told_to_end(child, "-TERM");
    let (child, said) = started(&script);
    assert_eq!(said["firstKey"], Value::Null);
    assert!(call(said["address"].as_str().unwrap(), "/v1/memory/facts", key).contains("\"tea\""));
    told_to_end(child, "-INT");
    script.quiet(&["serve", "--as", "user:ann"]).exits(4);
    script.quiet(&["serve", "--listen", "nowhere"]).exits(2);
}
