//! What forms do by themselves, and what they say of times and of what is secret.

use serde_json::json;
use truthkeeper::Right;

use super::{Browser, contested, hidden};
use crate::client::{FACTS, Running, get, post};

/// The first button of a form, which Enter presses.
fn default_button<'a>(page: &'a str, form: &str) -> &'a str {
    let form = &page[page.find(form).unwrap()..];
    let button = &form[form.find("<button").unwrap()..];
    &button[..=button.find('>').unwrap()]
}

#[test]
fn enter_decides_nothing_where_there_are_several_things_to_decide() {
    let service = Running::start();
    let ann = service.person("ann");
    service.says(&ann, "ann", "tea");
    let (_, conflict) = contested(&service, &ann, "ann", "coffee", "cocoa");
    let browser = Browser::signed_in(&service, &ann);
    for (path, form) in
        [("/memory".to_owned(), "class=\"many\""), (format!("/conflicts/{conflict}"), "/settle\"")]
    {
        let page = browser.sees(&path);
        let button = default_button(&page, form);
        assert!(button.contains("disabled") && button.contains("hidden"), "{path}: {button}");
    }
}

#[test]
fn what_begins_later_is_shown_and_can_be_changed() {
    let service = Running::start();
    let ann = service.person("ann");
    let body = json!({"type": "acme.note", "scope": {"userId": "ann"}, "content": {"text": "Ann lives in Lisbon"},
        "validFrom": "2999-01-01T00:00:00Z"});
    let said = service.call(&post(FACTS).key(&ann).json(&body));
    let id = said.json()["id"].as_str().unwrap().to_owned();
    let browser = Browser::signed_in(&service, &ann);
    let page = browser.sees(&format!("/memory/{id}"));
    for part in ["It is to be true from", "2999", ">to come<", "/edit\"", "/forget\"", "Ann lives in Lisbon"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains(">current<") && !page.contains("Nothing of it holds now"), "{page}");
    assert!(browser.sees(&format!("/memory/{id}/edit")).contains("Ann lives in Lisbon"));
    browser.does(&format!("/memory/{id}/forget"), &[("expectVersion", "1")]);
    assert!(browser.sees("/forgotten").contains("Ann lives in Lisbon"));
}

#[test]
fn an_end_stays_to_the_millisecond_and_is_not_taken_away_in_silence() {
    let service = Running::start();
    let ann = service.person("ann");
    let body = json!({"type": "acme.note", "scope": {"userId": "ann"}, "content": {"text": "tea"},
        "validUntil": "2999-06-01T10:20:30.456Z"});
    let id = service.call(&post(FACTS).key(&ann).json(&body)).json()["id"].as_str().unwrap().to_owned();
    let browser = Browser::signed_in(&service, &ann);
    let edit = format!("/memory/{id}/edit");
    let page = browser.sees(&edit);
    assert!(page.contains("value=\"2999-06-01T10:20:30\""), "{page}");
    let same = [("form", "text"), ("expectVersion", "1"), ("content", "tea")];
    let with = |until: &'static str| [&same[..], &[("validUntil", until)]].concat();
    let page = browser.does(&edit, &with("2999-06-01T10:20:30"));
    assert!(page.contains("Nothing changed"), "{page}");
    let refused = browser.post(&edit, &with(""));
    assert!(refused.status == 400 && refused.text.contains("an end that was set stays"), "{refused:?}");
    browser.does(&edit, &with("2999-07-01T00:00:00"));
    let fact = service.call(&get(&format!("{FACTS}/{id}")).key(&ann)).ok();
    assert_eq!(fact["validUntil"], "2999-07-01T00:00:00.000Z", "{fact}");
}

#[test]
fn a_settled_conflict_is_found_again_from_its_fact() {
    let service = Running::start();
    let ann = service.person("ann");
    let (fact, conflict) = contested(&service, &ann, "ann", "tea", "milk");
    let browser = Browser::signed_in(&service, &ann);
    let page = browser.sees(&format!("/conflicts/{conflict}"));
    let settle = [("version", hidden(&page, "version")), ("keep", "1")];
    browser.does(&format!("/conflicts/{conflict}/settle"), &settle);
    let page = browser.sees(&format!("/memory/{fact}"));
    assert!(page.contains(&format!("href=\"/conflicts/{conflict}\"")), "{page}");
    assert!(browser.sees(&format!("/conflicts/{conflict}")).contains("Open it again"));
}

// SEC-07
#[test]
fn a_secret_that_was_typed_does_not_come_back() {
    let service = Running::start();
    let ann = service.person("ann");
    let browser = Browser::signed_in(&service, &ann);
    let secret = "ghp_aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cF2hJ5";
    let typed = format!("the token is {secret}");
    let fields =
        [("form", "text"), ("type", "acme.note"), ("scope", "user:ann"), ("content", typed.as_str())];
    let refused = browser.post("/memory/new", &fields);
    assert!(refused.status == 400 && refused.text.contains("the token is"), "{refused:?}");
    assert!(!refused.text.contains(secret), "{refused:?}");
}

#[test]
fn a_key_that_only_writes_comes_to_a_form_and_older_memories_have_a_number() {
    let service = Running::start();
    let writer = service.key("user:ann", &[Right::FactsWrite], &[], &["user:ann"]);
    let browser = Browser::signed_in(&service, &writer);
    assert_eq!(browser.get("/").headers["location"], "/memory/new");
    assert!(browser.sees("/memory/new").contains("Remember"));
    service.remembered_before("ann", "Ann has a garden");
    service.remembered_before("bob", "Bob has a boat");
    let page = Browser::signed_in(&service, &service.person("ann")).sees("/memory");
    let place = page.split("href=\"/adoption\"").nth(1).unwrap().split("</li>").next().unwrap();
    assert!(place.contains('1'), "{place}");
}
