//! Whatever is asked of whichever route, nobody is shown a word of somebody else's (SEC-06).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use truthkeeper::Right;

use super::client::{Ask, Line, NOBODYS, Running, get};
use super::description::description;
use super::owners::{CANARY, Theirs, attempts, peopled};

const ANSWERS: usize = 10_000;
const ANSWERS_SOAKED: usize = 1_000_000;
const CLIENTS: usize = 4;

/// Every operation of the description that reads, with each of its parameters filled by what is Ann's.
fn readings(theirs: &Theirs) -> Vec<Ask> {
    let description = description();
    let ids = theirs.facts.iter().chain([&theirs.conflict, &theirs.review, &theirs.receipt]);
    let ids: Vec<&str> = ids.map(String::as_str).chain([NOBODYS]).collect();
    let mut all = Vec::new();
    for (path, item) in description["paths"].as_object().unwrap() {
        let Some(operation) = item.get("get") else { continue };
        let places: Vec<String> = match path.contains("{id}") {
            true => ids.iter().map(|id| path.replace("{id}", id)).collect(),
            false => vec![path.clone()],
        };
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let named =
            parameters.iter().filter(|one| one["in"] == "query").map(|one| one["name"].as_str().unwrap());
        let queries: Vec<String> = named.flat_map(filled).chain([String::new()]).collect();
        for place in &places {
            all.extend(queries.iter().map(|query| get(&format!("{place}{query}"))));
        }
    }
    all
}

/// A parameter, filled by what somebody would try.
fn filled(name: &str) -> Vec<String> {
    let values: &[&str] = match name {
        "type" => &["acme.note"],
        "userId" | "participantId" | "tenantId" => &["ann", "local", "bob"],
        "key" | "tag" => &[CANARY],
        "owner" => &["user:ann", "tenant"],
        "state" => &["active", "superseded", "retracted", "expired", "conflicted"],
        "asOf" | "validAt" => &["2999-01-01T00:00:00Z", "2026-01-01"],
        "limit" | "version" => &["1", "100"],
        "after" => &["0", "latest"],
        _ => &["x", "0000000000000000ffffffffffffffff"],
    };
    values.iter().map(|value| format!("?{name}={value}")).collect()
}

/// Nobody, another owner, one who reads what is everybody's, and who operates the install.
fn others(service: &Running) -> [Option<String>; 4] {
    let all = [Right::FactsRead, Right::FactsWrite, Right::Review];
    let bob = service.key("user:bob", &all, &[], &["user:bob"]);
    let reader = service.key("service:reader", &[Right::FactsRead], &["tenant", "project:p"], &[]);
    let operates = service.key("operator:olga", &[Right::Operate], &[], &[]);
    [None, Some(bob), Some(reader), Some(operates)]
}

fn never_shown(answers: usize, wait: Duration) -> usize {
    let service = Running::start();
    let ann = service.person("ann");
    let theirs = peopled(&service, &ann);
    let mut asked: Vec<Ask> = readings(&theirs);
    for fact in &theirs.facts {
        asked.extend(attempts(fact, &theirs).into_iter().map(|(_, attempt)| attempt));
    }
    let others = others(&service);
    let seen = service.call(&get("/v1/memory/facts").key(&ann));
    assert!(seen.text.contains(CANARY), "she sees it herself");
    let (done, next, began) = (AtomicUsize::new(0), AtomicUsize::new(0), Instant::now());
    std::thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                let mut line = Line::to(service.address);
                while done.load(Ordering::Relaxed) < answers && began.elapsed() < wait {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let (which, who) = (number / others.len() % asked.len(), &others[number % others.len()]);
                    let attempt = asked[which].clone();
                    let attempt = match who {
                        Some(key) => attempt.key(key),
                        None => attempt,
                    };
                    let answer = line.call(&attempt);
                    assert!(!answer.contains(CANARY), "{who:?} was answered {answer} to {attempt:?}");
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    let again = service.call(&get("/v1/memory/facts").key(&ann)).json();
    assert_eq!(again, seen.json(), "nothing of hers changed");
    done.into_inner()
}

#[test]
fn ten_thousand_answers_show_nobody_a_word_of_somebody_elses() {
    assert!(never_shown(ANSWERS, Duration::from_secs(600)) >= ANSWERS);
}

#[test]
#[ignore = "script/soak runs it"]
fn soak_a_million_answers_show_nobody_a_word_of_somebody_elses() {
    let seconds = std::env::var("TRUTHKEEPER_SOAK_SECONDS").ok().and_then(|text| text.parse().ok());
    let wait = Duration::from_secs(seconds.unwrap_or(600));
    println!("{} answers", never_shown(ANSWERS_SOAKED, wait));
}
