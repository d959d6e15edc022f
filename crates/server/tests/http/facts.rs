//! The life of a fact over HTTP.

use serde_json::{Value, json};
use truthkeeper::Right;

use super::client::{FACTS, Running, ask, get, post};

// 99
#[test]
fn a_fact_is_written_as_the_facts_api_says() {
    let service = Running::start();
    let key = service.key("user:app", &[Right::FactsRead, Right::FactsWrite], &[], &["project:desk"]);
    let text = "end-7 orders spare parts for a washing machine.";
    let scope = json!({"projectId": "desk", "participantId": "end-7"});
    let body = json!({"type": "acme.note", "content": {"text": text}, "scope": scope});
    let answer = service.call(&post(FACTS).key(&key).json(&body));
    assert_eq!((answer.status, answer.headers["etag"].as_str()), (201, "\"1\""));
    let fact = answer.ok();
    let hash = "sha256:f7de1d8940eba40c71e365c8e853f9cc631c6948e8b17e786417b116cdee69bc";
    assert_eq!((&fact["contentHash"], &fact["size"]), (&json!(hash), &json!(58)));
    assert_eq!((&fact["version"], &fact["trust"]), (&json!(1), &json!("asserted")));
    assert_eq!(fact["attributedTo"], json!({"kind": "user", "id": "app"}));
    assert_eq!(fact["scope"], json!({"tenantId": "local", "projectId": "desk", "participantId": "end-7"}));
    let created = fact["createdAt"].as_str().unwrap();
    assert!(created.len() == 24 && created.ends_with('Z'), "{created}");
    let id = fact["id"].as_str().unwrap();
    let mut got = service.call(&get(&format!("{FACTS}/{id}")).key(&key)).ok();
    got["receipt"] = fact["receipt"].clone();
    assert_eq!(got, fact, "get gives the same fact");
}

// 102, 104, 105, 106
#[test]
fn a_fact_is_superseded_verified_forgotten_and_restored() {
    let service = Running::start();
    let key = service.person("ann");
    let id = service.says(&key, "ann", "tea");
    let one = format!("{FACTS}/{id}");
    let did =
        |act: &str, body: &Value| service.call(&post(&format!("{one}/{act}")).key(&key).json(body)).ok();
    let second = did("supersede", &json!({"content": {"text": "coffee"}, "reason": "changed her mind"}));
    assert_eq!(
        (&second["id"], &second["version"], &second["type"]),
        (&json!(id), &json!(2), &json!("acme.note"))
    );
    assert_eq!(did("supersede", &json!({"content": null}))["content"], Value::Null);
    let old = service.call(&get(&format!("{one}?version=1")).key(&key)).ok();
    assert_eq!((&old["content"]["text"], &old["state"]), (&json!("tea"), &json!("superseded")));
    let between = second["createdAt"].as_str().unwrap();
    let then = service.call(&get(&format!("{one}?asOf={between}")).key(&key)).ok();
    assert_eq!(then["content"]["text"], "coffee");
    let verified = service.call(&post(&format!("{one}/verify")).key(&key)).ok();
    assert_eq!((&verified["version"], &verified["trust"]), (&json!(4), &json!("verified")));
    let all = service.call(&get(&format!("{one}/revisions?limit=3")).key(&key)).ok();
    let numbers = |page: &Value| {
        page["data"].as_array().unwrap().iter().map(|one| one["version"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(numbers(&all), [4, 3, 2]);
    let rest = format!("{one}/revisions?cursor={}", all["nextCursor"].as_str().unwrap());
    let rest = service.call(&get(&rest).key(&key)).ok();
    assert_eq!((numbers(&rest), &rest["nextCursor"]), (vec![json!(1)], &Value::Null));
    let other = format!(
        "{FACTS}/{}/revisions?cursor={}",
        service.says(&key, "ann", "milk"),
        all["nextCursor"].as_str().unwrap()
    );
    service.call(&get(&other).key(&key)).refused(400, "bad-input");
    service.call(&ask("DELETE", other.split("/revisions").next().unwrap()).key(&key)).ok();
    let closed = service.call(&ask("DELETE", &one).key(&key)).ok();
    assert_eq!((&closed["version"], &closed["state"]), (&json!(4), &json!("retracted")));
    service.call(&get(&one).key(&key)).refused(404, "fact-not-found");
    service.call(&ask("DELETE", &one).key(&key)).refused(404, "fact-not-found");
    assert_eq!(service.call(&get(FACTS).key(&key)).ok()["data"], json!([]));
    assert_eq!(numbers(&service.call(&get(&format!("{one}/revisions")).key(&key)).ok()).len(), 4);
    let forgotten = service.call(&get("/v1/memory/forgotten").key(&key)).ok();
    assert_eq!(forgotten["data"][0]["ended"]["by"], json!({"kind": "user", "id": "ann"}));
    let restored = did("restore", &json!({}));
    assert_eq!((&restored["version"], &restored["state"]), (&json!(5), &json!("active")));
}

// 107
#[test]
fn a_fact_under_legal_hold_stays_as_it_is() {
    let service = Running::start();
    let key = service.person("ann");
    let one = format!("{FACTS}/{}", service.says(&key, "ann", "tea"));
    let hold =
        |on: bool| service.call(&post(&format!("{one}/hold")).key(&key).json(&json!({"legalHold": on}))).ok();
    assert_eq!(hold(true)["legalHold"], true);
    let change = json!({"content": {"text": "coffee"}});
    service.call(&post(&format!("{one}/supersede")).key(&key).json(&change)).refused(409, "legal-hold");
    service.call(&ask("DELETE", &one).key(&key)).refused(409, "legal-hold");
    hold(false);
    service.call(&ask("DELETE", &one).key(&key)).ok();
}

// 100, 101
#[test]
fn pages_are_disjoint_and_complete_and_their_cursors_belong_to_them() {
    let service = Running::start();
    let key = service.person("ann");
    let mut said: Vec<String> = (0..7).map(|n| service.says(&key, "ann", &format!("note {n}"))).collect();
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = service.call(&get(&format!("{FACTS}?limit=3{cursor}")).key(&key)).ok();
        seen.extend(
            page["data"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()),
        );
        let Some(next) = page["nextCursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
        for other in ["type=acme.note&", "userId=ann&", "state=retracted&"] {
            let path = format!("{FACTS}?{other}limit=3{cursor}");
            service.call(&get(&path).key(&key)).refused(400, "bad-input");
        }
    }
    said.reverse();
    assert_eq!(seen, said);
}

#[test]
fn a_fact_moves_to_another_scope() {
    let service = Running::start();
    let key =
        service.key("user:ann", &[Right::FactsRead, Right::FactsWrite], &[], &["user:ann", "project:desk"]);
    let one = format!("{FACTS}/{}", service.says(&key, "ann", "tea"));
    let moved = service
        .call(&post(&format!("{one}/move")).key(&key).json(&json!({"scope": {"projectId": "desk"}})))
        .ok();
    assert_eq!(moved["scope"], json!({"tenantId": "local", "projectId": "desk"}));
    let back = json!({"scope": {"userId": "bob"}});
    service.call(&post(&format!("{one}/move")).key(&key).json(&back)).refused(403, "permission-denied");
}
