//! No route shows one owner's facts to another, or lets a key do more than it may (SEC-06, HTP-03).

use serde_json::{Value, json};
use truthkeeper::Right;

use super::client::{Answer, Ask, FACTS, NOBODYS, Running, ask, get, post};
use super::description::routes;

pub(crate) const CANARY: &str = "canary4711";

/// What is Ann's.
pub(crate) struct Theirs {
    pub(crate) facts: Vec<String>,
    pub(crate) conflict: String,
    pub(crate) review: String,
    pub(crate) receipt: String,
}

impl Theirs {
    /// What nobody has.
    fn nothing() -> Self {
        let nobodys = || NOBODYS.to_owned();
        Self { facts: vec![nobodys()], conflict: nobodys(), review: nobodys(), receipt: nobodys() }
    }
}

/// Every route as somebody would try it who wants at a fact, a conflict, what waits, or what was recalled.
pub(crate) fn attempts(fact: &str, theirs: &Theirs) -> Vec<(&'static str, Ask)> {
    let Theirs { facts: _, conflict, review, receipt } = theirs;
    let one = format!("{FACTS}/{fact}");
    let act = |name: &str, body: Value| post(&format!("{one}/{name}")).json(&body);
    let conflict = format!("/v1/memory/conflicts/{conflict}");
    let review = format!("/v1/memory/review/{review}");
    let say = json!({"type": "acme.note", "scope": {"userId": "ann"}, "content": {"text": "mine"}});
    vec![
        ("facts", get(FACTS)),
        ("facts", get(&format!("{FACTS}?userId=ann&key={CANARY}"))),
        ("facts", post(FACTS).json(&say)),
        ("fact", get(&one)),
        ("fact", get(&format!("{one}?version=1"))),
        ("fact", get(&format!("{one}?asOf=2999-01-01T00:00:00Z"))),
        ("fact", ask("DELETE", &one)),
        ("/supersede", act("supersede", json!({"content": "mine"}))),
        ("/verify", act("verify", json!({}))),
        ("/restore", act("restore", json!({}))),
        ("/move", act("move", json!({"scope": {"userId": "bob"}}))),
        ("/hold", act("hold", json!({"legalHold": true}))),
        ("/revisions", get(&format!("{one}/revisions"))),
        ("/remember", post("/v1/memory/remember").json(&remembered())),
        ("/retrieve", post("/v1/memory/retrieve").json(&json!({"query": "tea"}))),
        ("/retrieve", post("/v1/memory/retrieve").json(&json!({"mode": "list", "scope": {"userId": "ann"}}))),
        ("/conflicts", get("/v1/memory/conflicts")),
        ("/conflicts/{id}", get(&conflict)),
        (
            "/conflicts/{id}/settle",
            post(&format!("{conflict}/settle")).json(&json!({"expectVersion": 1, "keep": 1})),
        ),
        ("/conflicts/{id}/reopen", post(&format!("{conflict}/reopen"))),
        ("/forgotten", get("/v1/memory/forgotten")),
        ("/review", get("/v1/memory/review")),
        ("/review/{id}/accept", post(&format!("{review}/accept"))),
        ("/review/{id}/dismiss", post(&format!("{review}/dismiss"))),
        (
            "/facts/move",
            post(&format!("{FACTS}/move"))
                .json(&json!({"facts": [{"id": fact}], "scope": {"userId": "bob"}})),
        ),
        ("/facts/forget", post(&format!("{FACTS}/forget")).json(&json!({"facts": [{"id": fact}]}))),
        (
            "/facts/forget-all",
            post(&format!("{FACTS}/forget-all")).json(&json!({"scope": {"userId": "ann"}})),
        ),
        ("/changes", get("/v1/memory/changes")),
        ("/duplicates", get("/v1/memory/duplicates")),
        (
            "/duplicates/merge",
            post("/v1/memory/duplicates/merge")
                .json(&json!({"survivor": {"id": fact}, "others": [{"id": NOBODYS}]})),
        ),
        ("/duplicates/split", post("/v1/memory/duplicates/split").json(&json!({"fact": fact}))),
        ("/projections", get("/v1/memory/projections")),
        ("/projections/retry", post("/v1/memory/projections/retry").json(&json!({"fact": fact}))),
        ("/projections/check", post("/v1/memory/projections/check").json(&json!({"owner": "user:ann"}))),
        ("/receipts", get("/v1/memory/receipts")),
        ("/receipts/{id}", get(&format!("/v1/memory/receipts/{receipt}"))),
        ("/receipts/{id}/query", ask("DELETE", &format!("/v1/memory/receipts/{receipt}/query"))),
        ("/status", get("/v1/memory/status")),
    ]
}

/// Somebody's agent would remember something of Ann's.
fn remembered() -> Value {
    json!({
        "declaration": {"types": ["acme.note"], "scope": "same-user"}, "run": {"userId": "ann"},
        "call": {"runId": "r", "toolCallId": "c", "agentId": "x"}, "fact": {"type": "acme.note", "text": "mine"},
    })
}

/// Ann's facts: a current one, a contested one, a forgotten one that was said again; and a recall of hers.
pub(crate) fn peopled(service: &Running, ann: &str) -> Theirs {
    let agent = service.key("agent:x", &[Right::FactsRead, Right::FactsWrite], &[], &["user:ann"]);
    let text = |what: &str| format!("{CANARY} drinks {what}");
    let current = service.says(ann, "ann", &text("tea"));
    let contested = service.says(ann, "ann", &text("milk"));
    let doubt = json!({"content": {"text": text("beer")}, "confidence": 0.1});
    service.call(&post(&format!("{FACTS}/{contested}/supersede")).key(&agent).json(&doubt)).ok();
    let forgotten = service.says(ann, "ann", &text("wine"));
    service.call(&ask("DELETE", &format!("{FACTS}/{forgotten}")).key(ann)).ok();
    let again = json!({"type": "acme.note", "scope": {"userId": "ann"}, "content": {"text": text("wine")}});
    service.call(&post(FACTS).key(&agent).json(&again)).ok();
    let id = |path: &str, field: &str| {
        service.call(&get(path).key(ann)).ok()["data"][0][field].as_str().unwrap().to_owned()
    };
    let (conflict, review) = (id("/v1/memory/conflicts", "conflict"), id("/v1/memory/review", "review"));
    let asked = json!({"query": format!("{CANARY} tea")});
    let recalled = service.call(&post("/v1/memory/retrieve").key(ann).json(&asked)).ok();
    let receipt = recalled["receipt"].as_str().unwrap().to_owned();
    Theirs { facts: vec![current, contested, forgotten], conflict, review, receipt }
}

/// All that Ann can read.
fn everything(service: &Running, ann: &str) -> String {
    let mut all = String::new();
    for state in ["active", "superseded", "retracted", "expired", "conflicted"] {
        all.push_str(&service.call(&get(&format!("{FACTS}?state={state}")).key(ann)).ok().to_string());
    }
    for path in ["/v1/memory/conflicts", "/v1/memory/review", "/v1/memory/forgotten"] {
        all.push_str(&service.call(&get(path).key(ann)).ok().to_string());
    }
    all
}

/// What is the same whoever asks: no id of the request, and no time.
fn told(answer: &Answer) -> (u16, Value) {
    let mut body = answer.json();
    let id = body["requestId"].take();
    assert!(id.is_null() || body["error"]["requestId"].take() == id);
    (answer.status, body)
}

#[test]
fn every_route_is_tried() {
    let tried: Vec<&str> = attempts("", &Theirs::nothing()).into_iter().map(|(route, _)| route).collect();
    for route in
        routes().into_iter().filter_map(|(route, _)| route.strip_prefix("/v1/memory").map(str::to_owned))
    {
        let route = match route.strip_prefix("/facts/{id}") {
            Some("") => "fact",
            Some(act) => act,
            None if route == "/facts" => "facts",
            None => &route,
        };
        assert!(tried.contains(&route), "say how somebody would get at a fact by {route}");
    }
}

#[test]
fn a_stranger_is_told_nothing() {
    let service = Running::start();
    let ann = service.person("ann");
    let theirs = peopled(&service, &ann);
    let before = everything(&service, &ann);
    for fact in theirs.facts.iter().map(String::as_str).chain([NOBODYS]) {
        for (_, attempt) in attempts(fact, &theirs) {
            service.call(&attempt).refused(401, "unauthenticated");
        }
    }
    assert_eq!(everything(&service, &ann), before);
}

#[test]
fn another_owner_is_answered_as_if_nothing_were_there() {
    let service = Running::start();
    let (ann, bob) = (service.person("ann"), service.person("bob"));
    let theirs = peopled(&service, &ann);
    let before = everything(&service, &ann);
    assert!(before.contains(CANARY));
    let missing: Vec<_> = attempts(NOBODYS, &Theirs::nothing())
        .iter()
        .map(|(_, attempt)| told(&service.call(&attempt.clone().key(&bob))))
        .collect();
    for fact in &theirs.facts {
        for ((route, attempt), missing) in attempts(fact, &theirs).into_iter().zip(&missing) {
            let answer = service.call(&attempt.key(&bob));
            assert!(!answer.text.contains("drinks") && !answer.text.contains(CANARY), "{route}: {answer:?}");
            if answer.status >= 400 {
                assert_eq!(&told(&answer), missing, "{route}");
            }
        }
    }
    assert_eq!(everything(&service, &ann), before, "nothing of Ann's changed");
}

#[test]
fn a_key_does_what_its_rights_say_and_no_more() {
    let service = Running::start();
    let ann = service.person("ann");
    let theirs = peopled(&service, &ann);
    let before = everything(&service, &ann);
    for right in [Right::FactsRead, Right::FactsWrite, Right::Review, Right::Operate] {
        let key = service.key("user:ann", &[right], &["user:ann"], &[]);
        for (route, attempt) in attempts(&theirs.facts[0], &theirs) {
            let answer = service.call(&attempt.key(&key));
            if right != Right::FactsRead && right != Right::Review {
                assert!(!answer.text.contains(CANARY), "{route}: {answer:?}");
            }
            if answer.status < 300 {
                let reads =
                    ["facts", "fact", "/revisions", "/retrieve", "/forgotten", "/changes", "/receipts"];
                let own = ["/receipts/{id}", "/receipts/{id}/query"];
                let reviews = ["/conflicts", "/conflicts/{id}", "/review", "/duplicates"];
                let operates = ["/status", "/projections", "/projections/retry", "/projections/check"];
                let several = ["/facts/move", "/facts/forget"];
                let may = match right {
                    Right::FactsRead => reads.contains(&route) || own.contains(&route),
                    Right::Review => reviews.contains(&route),
                    Right::Operate => operates.contains(&route),
                    Right::FactsWrite if several.contains(&route) => answer.json()["succeeded"] == 0,
                    Right::FactsWrite if route == "/facts/forget-all" => answer.json()["forgotten"] == 0,
                    Right::FactsWrite | Right::Admin => false,
                };
                assert!(may, "{right:?} did {route}: {answer:?}");
            }
        }
    }
    assert_eq!(everything(&service, &ann), before);
    // Who may write and not read gets a receipt, and no fact.
    let blind = service.key("user:ann", &[Right::FactsWrite], &[], &["user:ann"]);
    let body = json!({"content": {"text": "water"}});
    let change = post(&format!("{FACTS}/{}/supersede", theirs.facts[0])).key(&blind).json(&body);
    let receipt = service.call(&change).ok();
    assert_eq!((&receipt["receipt"]["outcome"], &receipt["content"]), (&json!("superseded"), &Value::Null));
}

#[test]
fn a_revoked_key_opens_nothing() {
    let service = Running::start();
    let key = service.operator();
    service.call(&get("/v1/memory/status").key(&key)).ok();
    service.revoke(&key);
    service.call(&get("/v1/memory/status").key(&key)).refused(401, "unauthenticated");
}
