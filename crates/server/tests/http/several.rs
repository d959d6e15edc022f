//! Acts on several facts, duplicates, the searchable copy, and receipts.

use serde_json::{Value, json};
use truthkeeper::Right;

use super::client::{FACTS, NOBODYS, Running, ask, get, post};

// 130, HTP-01: each is counted where it ended
#[test]
fn several_facts_are_moved_and_forgotten_each_by_itself() {
    let service = Running::start();
    let key = service.person("ann");
    let (tea, milk) = (service.says(&key, "ann", "tea"), service.says(&key, "ann", "milk"));
    let facts = json!([{"id": tea, "expectVersion": 1}, {"id": milk, "expectVersion": 7}, {"id": NOBODYS}]);
    let to = json!({"userId": "ann", "sessionId": "s"});
    let moved = post(&format!("{FACTS}/move")).key(&key).json(&json!({"facts": facts, "scope": to}));
    let moved = service.call(&moved.header("Idempotency-Key", "m")).ok();
    assert_eq!(
        (&moved["succeeded"], &moved["stale"], &moved["notFound"]),
        (&json!(1), &json!(1), &json!(1)),
        "{moved}"
    );
    assert_eq!(moved["facts"][1]["error"]["code"], "fact-changed");
    let forget = json!({"facts": [{"id": tea}, {"id": milk}], "reason": "over"});
    let forget = post(&format!("{FACTS}/forget")).key(&key).header("Idempotency-Key", "f").json(&forget);
    assert_eq!(service.call(&forget).ok()["succeeded"], 2);
    let again = service.call(&forget).ok();
    assert_eq!((&again["succeeded"], &again["facts"][0]["receipt"]["replayed"]), (&json!(2), &json!(true)));
    for (odd, field) in [
        (json!({"facts": []}), "facts"),
        (json!({"facts": vec![json!({"id": tea}); 2]}), "facts"),
        (json!({"facts": [{"id": tea, "expectVersion": 0}]}), "expectVersion"),
        (json!({"facts": [{"id": tea, "extra": 1}]}), "facts[0]"),
        (json!({"facts": [{"id": "tea"}]}), "facts[0].id: must be an id"),
        (json!({"facts": vec![json!({"id": tea}); 51]}), "facts"),
    ] {
        let refused = service.call(&post(&format!("{FACTS}/forget")).key(&key).json(&odd));
        let detail = refused.refused(400, "bad-input")["detail"].as_str().unwrap().to_owned();
        assert!(detail.starts_with(field), "{detail}");
    }
}

// 130: a name means one request, and what it is used for else changes nothing
#[test]
fn the_name_of_a_request_for_several_facts_means_nothing_else() {
    let service = Running::start();
    let key = service.person("ann");
    let facts = ["tea", "milk", "beer"].map(|text| service.says(&key, "ann", text));
    let of = |ids: &[String]| json!({"facts": ids.iter().map(|id| json!({"id": id})).collect::<Vec<_>>()});
    let forget = |name: &str, body: Value| {
        let request = post(&format!("{FACTS}/forget")).key(&key).header("Idempotency-Key", name);
        service.call(&request.json(&body))
    };
    let first = forget("b", of(&facts[..1]));
    assert!(!first.headers.contains_key("idempotent-replayed"), "{first:?}");
    first.ok();
    let again = forget("b", of(&facts[..1]));
    assert_eq!(again.headers["idempotent-replayed"], "true");
    forget("b", of(&facts)).refused(409, "idempotency-conflict");
    let named = post(FACTS).key(&key).header("Idempotency-Key", "w");
    service.call(&named.json(&json!({"type": "acme.note", "scope": {"userId": "ann"}, "content": "cider"})));
    forget("w", of(&facts[1..])).refused(409, "idempotency-conflict");
    assert_eq!(service.call(&get(FACTS).key(&key)).ok()["data"].as_array().unwrap().len(), 3);

    let all = |scope: &str| {
        let request = post(&format!("{FACTS}/forget-all")).key(&key).header("Idempotency-Key", "all");
        service.call(&request.json(&json!({"scope": {"userId": scope}})))
    };
    assert_eq!(all("ann").ok()["forgotten"], 3);
    service.says(&key, "ann", "what came later");
    let again = all("ann");
    assert_eq!(
        (again.headers["idempotent-replayed"].as_str(), &again.json()["forgotten"]),
        ("true", &json!(3))
    );
    all("zoe").refused(409, "idempotency-conflict");
    assert_eq!(service.call(&get(FACTS).key(&key)).ok()["data"].as_array().unwrap().len(), 1);
}

// HTP-01, SEC-07
#[test]
fn forgetting_all_of_one_owner_forgets_all_of_them_and_nobody_elses() {
    let service = Running::start();
    let (ann, bob) = (service.person("ann"), service.person("bob"));
    for n in 0..150 {
        service.says(&ann, "ann", &format!("Ann has errand {n}"));
    }
    service.says(&bob, "bob", "tea");
    let all = |path: &str, key: &str, body: Value| service.call(&post(path).key(key).json(&body));
    let path = format!("{FACTS}/forget-all");
    all(&path, &ann, json!({})).refused(400, "bad-input");
    assert_eq!(all(&path, &bob, json!({"scope": {"userId": "ann"}})).ok()["forgotten"], 0);
    let told = all(&path, &ann, json!({"scope": {"userId": "ann"}, "reason": "all of it"})).ok();
    assert_eq!(told["forgotten"], 150, "{told}");
    assert_eq!(service.call(&get(FACTS).key(&ann)).ok()["data"], json!([]));
    assert_eq!(service.call(&get(FACTS).key(&bob)).ok()["data"].as_array().unwrap().len(), 1);
    let over = service.call(&get("/v1/memory/forgotten?limit=1").key(&ann)).ok();
    let one = format!("{FACTS}/{}/restore", over["data"][0]["id"].as_str().unwrap());
    service.call(&post(&one).key(&ann)).ok();
}

#[test]
fn two_that_say_the_same_become_one_and_two_again() {
    let service = Running::start();
    let key = service.person("ann");
    let one = service.says(&key, "ann", "Ann drinks green tea every morning");
    let two = service.says(&key, "ann", "Ann drinks green tea every single morning");
    let listed = service.call(&get("/v1/memory/duplicates").key(&key)).ok();
    assert_eq!(listed["duplicates"][0]["older"]["id"], json!(one), "{listed}");
    assert_eq!(listed["noMeaning"], "no-embeddings");
    service.call(&get("/v1/memory/duplicates?limit=3").key(&key)).refused(400, "bad-input");
    let merge = json!({"survivor": {"id": one, "expectVersion": 1}, "others": [{"id": two}]});
    service.call(&post("/v1/memory/duplicates/merge").key(&key).json(&merge)).ok();
    service.call(&get(&format!("{FACTS}/{two}")).key(&key)).refused(404, "fact-not-found");
    service.call(&post("/v1/memory/duplicates/split").key(&key).json(&json!({"fact": two}))).ok();
    service.call(&get(&format!("{FACTS}/{two}")).key(&key)).ok();
    let listed = service.call(&get("/v1/memory/duplicates").key(&key)).ok();
    assert_eq!(listed["duplicates"], json!([]), "what was said to be two is not asked again");
}

#[test]
fn the_copy_is_shown_checked_and_tried_again() {
    let service = Running::start();
    let (ann, operator) = (service.person("ann"), service.operator());
    service.says(&ann, "ann", "tea");
    let checked = service.call(&post("/v1/memory/projections/check").key(&operator)).ok();
    assert_eq!((&checked["clean"], &checked["facts"]), (&json!(true), &json!(1)), "{checked}");
    let of_ann = json!({"owner": "user:ann"});
    let tried = service.call(&post("/v1/memory/projections/retry").key(&operator).json(&of_ann)).ok();
    assert_eq!((&tried["failed"], &tried["failing"]), (&json!(0), &json!([])));
    let status = service.call(&get("/v1/memory/projections?owner=user:ann").key(&operator)).ok();
    assert_eq!((&status["waiting"], &status["drift"]["facts"]), (&json!(0), &json!(1)), "{status}");
    assert_eq!(status["embeddings"], "none");
    service.call(&get("/v1/memory/projections?owner=user:zoe").key(&operator)).refused(404, "fact-not-found");
    service.call(&get("/v1/memory/projections?owner=nobody").key(&operator)).refused(400, "bad-input");
    service.call(&get("/v1/memory/projections").key(&ann)).refused(403, "permission-denied");
}

#[test]
fn a_receipt_says_what_a_recall_showed_and_forgets_what_was_asked() {
    let service = Running::start();
    let (ann, bob) = (service.person("ann"), service.person("bob"));
    let fact = service.says(&ann, "ann", "Ann drinks green tea");
    let asked = json!({"query": "green tea"});
    let found = service.call(&post("/v1/memory/retrieve").key(&ann).json(&asked)).ok();
    let id = found["receipt"].as_str().unwrap().to_owned();
    let one = format!("/v1/memory/receipts/{id}");
    let receipt = service.call(&get(&one).key(&ann)).ok();
    assert_eq!((&receipt["query"], &receipt["shown"][0]["fact"]), (&json!("green tea"), &json!(fact)));
    service.call(&post("/v1/memory/retrieve").key(&ann).json(&json!({"query": "milk"}))).ok();
    let page = service.call(&get("/v1/memory/receipts?limit=1").key(&ann)).ok();
    let rest = format!("/v1/memory/receipts?cursor={}", page["nextCursor"].as_str().unwrap());
    let rest = service.call(&get(&rest).key(&ann)).ok();
    assert_eq!((&rest["data"][0]["receipt"], rest["data"].as_array().unwrap().len()), (&json!(id), 1));
    service.call(&get(&one).key(&bob)).refused(404, "receipt-not-found");
    service.call(&ask("DELETE", &format!("{one}/query")).key(&bob)).refused(404, "receipt-not-found");
    let forgot = service.call(&ask("DELETE", &format!("{one}/query")).key(&ann));
    assert_eq!((forgot.status, forgot.text.as_str()), (204, ""));
    assert_eq!(service.call(&get(&one).key(&ann)).ok()["query"], Value::Null);
    service.call(&get("/v1/memory/receipts?cursor=x").key(&ann)).refused(400, "bad-input");
    let writes = service.key("user:ann", &[Right::FactsWrite], &[], &["user:ann"]);
    service.call(&get(&one).key(&writes)).refused(403, "permission-denied");
}
