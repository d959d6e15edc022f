//! Changing facts by forms, without a script.

use super::{Browser, agent, hidden};
use crate::client::{Running, get};

#[test]
fn a_fact_is_written_edited_vouched_for_held_and_moved() {
    let service = Running::start();
    let ann = service.key(
        "user:ann",
        &[truthkeeper::Right::FactsRead, truthkeeper::Right::FactsWrite],
        &[],
        &["user:ann", "project:p/user:ann", "project:p"],
    );
    let browser = Browser::signed_in(&service, &ann);
    let form = browser.sees("/memory/new");
    let fields = [
        ("request", hidden(&form, "request")),
        ("form", "text"),
        ("content", "Ana drinks\r\ngreen tea"),
        ("type", "acme.preference"),
        ("scope", "user:ann"),
        ("tags", "food\r\nmorning"),
    ];
    let answer = browser.post("/memory/new", &fields);
    assert_eq!(answer.status, 303, "{answer:?}");
    let path = answer.headers["location"].clone();
    let page = browser.sees(&path);
    assert!(page.contains("It is remembered.") && page.contains("Ana drinks\ngreen tea"), "{page}");
    assert!(page.contains("<bdi>food</bdi>") && page.contains("<bdi>morning</bdi>"), "{page}");
    assert!(!browser.sees(&path).contains("It is remembered."), "it is said once");

    let form = browser.sees(&format!("{path}/edit"));
    let version = hidden(&form, "expectVersion");
    let fields = [
        ("form", "text"),
        ("content", "Ana drinks black tea"),
        ("expectVersion", version),
        ("reason", "she said so"),
    ];
    let page = browser.does(&format!("{path}/edit"), &fields);
    assert!(page.contains("<del>") && page.contains("<ins>") && page.contains("she said so"), "{page}");

    let page = browser.does(&format!("{path}/verify"), &[("expectVersion", "2")]);
    assert!(page.contains("It is verified") && page.contains("Version 3"), "{page}");
    let page = browser.does(&format!("{path}/hold"), &[("on", "yes")]);
    assert!(page.contains("legal hold"), "{page}");
    assert_eq!(browser.post(&format!("{path}/forget"), &[("expectVersion", "3")]).status, 409);
    browser.does(&format!("{path}/hold"), &[("on", "no")]);
    let page =
        browser.does(&format!("{path}/move"), &[("expectVersion", "3"), ("scope", "project:p/user:ann")]);
    assert!(page.contains("It is moved.") && page.contains("project:p/user:ann"), "{page}");
}

#[test]
fn what_was_typed_stays_where_it_is_refused() {
    let service = Running::start();
    let ann = service.person("ann");
    let fact = service.says(&ann, "ann", "tea");
    let browser = Browser::signed_in(&service, &ann);
    let new =
        [("form", "text"), ("content", "kept words"), ("type", "no type at all"), ("scope", "user:ann")];
    let answer = browser.post("/memory/new", &new);
    assert_eq!(answer.status, 400, "{answer:?}");
    assert!(answer.text.contains("kept words") && answer.text.contains("role=\"alert\""), "{answer:?}");
    let edit = |version| [("form", "text"), ("content", "my words"), ("expectVersion", version)];
    browser.does(&format!("/memory/{fact}/edit"), &edit("1"));
    let late = browser.post(&format!("/memory/{fact}/edit"), &edit("1"));
    assert_eq!(late.status, 409, "{late:?}");
    assert!(late.text.contains("my words") && late.text.contains("changed while you wrote"), "{late:?}");
    assert_eq!(hidden(&late.text, "expectVersion"), "2");
}

#[test]
fn a_form_that_is_sent_twice_is_done_once() {
    let service = Running::start();
    let ann = service.person("ann");
    let browser = Browser::signed_in(&service, &ann);
    let form = browser.sees("/memory/new");
    let fields = [
        ("request", hidden(&form, "request")),
        ("form", "text"),
        ("content", "said once"),
        ("type", "acme.note"),
        ("scope", "user:ann"),
        ("key", "slot"),
    ];
    let (first, second) = (browser.post("/memory/new", &fields), browser.post("/memory/new", &fields));
    assert_eq!((first.status, second.status), (303, 303), "{second:?}");
    let path = &first.headers["location"];
    assert_eq!(path, &second.headers["location"]);
    assert!(!browser.sees(path).contains("Version 2"));
    let changed: Vec<_> =
        fields.iter().map(|(name, value)| (*name, value.replace("once", "twice"))).collect();
    let changed: Vec<_> = changed.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(browser.post("/memory/new", &changed).status, 409, "another request of that name");
}

#[test]
fn what_is_forgotten_comes_back_at_once_or_later() {
    let service = Running::start();
    let ann = service.person("ann");
    let fact = service.says(&ann, "ann", "Ana drinks tea");
    let browser = Browser::signed_in(&service, &ann);
    let (path, forget) = (format!("/memory/{fact}"), format!("/memory/{fact}/forget"));
    let page = browser.does(&forget, &[("expectVersion", "1"), ("reason", "no more")]);
    assert!(
        page.contains("It is forgotten") && page.contains("no more") && page.contains(">Undo<"),
        "{page}"
    );
    assert!(!browser.sees("/memory").contains("Ana drinks tea"));
    let page = browser.does(&format!("{path}/restore"), &[("request", hidden(&page, "request"))]);
    assert!(page.contains("It is back") && page.contains(">current<"), "{page}");
    browser.does(&forget, &[("expectVersion", "2")]);
    let page = browser.sees("/forgotten");
    assert!(page.contains("Ana drinks tea") && page.contains("<strong>forgotten</strong>"), "{page}");
    browser.does(&format!("{path}/restore"), &[("request", hidden(&page, "request"))]);
    assert!(browser.sees("/memory").contains("Ana drinks tea"));
}

#[test]
fn many_are_forgotten_and_moved_and_counted() {
    let service = Running::start();
    let ann = service.person("ann");
    let facts: Vec<String> =
        ["tea", "milk", "beer"].iter().map(|text| service.says(&ann, "ann", text)).collect();
    let browser = Browser::signed_in(&service, &ann);
    service.remembered_before("ann", "an older one");
    let older = service
        .call(
            &crate::client::post("/v1/memory/retrieve").key(&ann).json(&serde_json::json!({"mode": "list"})),
        )
        .ok();
    let older = older["legacy"][0]["id"].as_str().unwrap();
    let ticked: Vec<String> = [&facts[0], &facts[1]].iter().map(|fact| format!("{fact}@1")).collect();
    let (stale, awaiting) = (format!("{}@7", facts[2]), format!("{older}@1"));
    let fields = [
        ("fact", ticked[0].as_str()),
        ("fact", &ticked[1]),
        ("fact", &stale),
        ("fact", &awaiting),
        ("reason", "all"),
    ];
    let page = browser.does("/memory/forget", &fields);
    let told = "2 forgotten, 1 waiting for a review of older memories, 1 left alone: changed meanwhile.";
    assert!(page.contains(told), "{page}");
    assert_eq!(browser.post("/memory/forget", &[("reason", "none")]).status, 400);
    let page = browser
        .does("/memory/move", &[("fact", &format!("{}@1", facts[2])), ("scope", "user:ann/session:s")]);
    assert!(page.contains("1 moved.") && page.contains("user:ann/session:s"), "{page}");
}

#[test]
fn what_was_said_again_is_taken_up_or_dismissed() {
    let service = Running::start();
    let ann = service.person("ann");
    let kai = agent(&service, "ann");
    let browser = Browser::signed_in(&service, &ann);
    for (act, told, is_back) in
        [("accept", "It is true from now on.", true), ("dismiss", "It is dismissed, for good.", false)]
    {
        let text = format!("{act} this");
        let fact = service.says(&ann, "ann", &text);
        browser.does(&format!("/memory/{fact}/forget"), &[("expectVersion", "1")]);
        let body =
            serde_json::json!({"type": "acme.note", "scope": {"userId": "ann"}, "content": {"text": text}});
        service.call(&crate::client::post(crate::client::FACTS).key(&kai).json(&body)).ok();
        let page = browser.sees("/review");
        assert!(page.contains("said again after you forgot it") && page.contains("(1) Review"), "{page}");
        let waits = service.call(&get("/v1/memory/review").key(&ann)).ok();
        let review = waits["data"][0]["review"].as_str().unwrap().to_owned();
        let page = browser.does(&format!("/review/{review}/{act}"), &[("request", hidden(&page, "request"))]);
        assert!(page.contains(told) && page.contains("Nothing waits for you."), "{page}");
        assert_eq!(browser.sees("/memory").contains(&text), is_back);
    }
}

#[test]
fn duplicates_become_one_and_two_again() {
    let service = Running::start();
    let ann = service.person("ann");
    let texts = ["Ana prefers short answers without lists.", "Ana prefers short answers without any lists."];
    let facts = texts.map(|text| service.says(&ann, "ann", text));
    let browser = Browser::signed_in(&service, &ann);
    let page = browser.sees("/duplicates");
    assert!(page.contains("Merge: this one goes on"), "{page}");
    let (survivor, other) = (format!("{}@1", facts[0]), format!("{}@1", facts[1]));
    let page = browser.does("/duplicates/merge", &[("survivor", &survivor), ("other", &other)]);
    assert!(page.contains("They are one fact now.") && page.contains("No two facts"), "{page}");
    let undo = page.split("action=\"/duplicates/split").nth(1).unwrap().split('"').next().unwrap();
    let page = browser.does(&format!("/duplicates/split{undo}"), &[]);
    assert!(page.contains("They are two facts."), "{page}");
    assert!(browser.sees("/memory").contains("any lists"));
}
