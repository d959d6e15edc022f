//! What the page shows, to whom, and as what.

use serde_json::json;
use truthkeeper::Right;

use super::{Browser, agent, contested};
use crate::client::{FACTS, NOBODYS, Running, ask, post};

const CANARY: &str = "canary4711";
const PATHS: [&str; 6] =
    ["/memory", "/memory?q=canary4711+drinks", "/conflicts", "/forgotten", "/review", "/duplicates"];

#[test]
fn nobody_sees_what_is_another_owners() {
    let service = Running::start();
    let (ann, bob) = (service.person("ann"), service.person("bob"));
    let said = |what: &str| format!("{CANARY} drinks {what}");
    let (fact, conflict) = contested(&service, &ann, "ann", &said("tea"), &said("milk"));
    let current = service.says(&ann, "ann", &said("water"));
    let gone = service.says(&ann, "ann", &said("wine"));
    service.call(&ask("DELETE", &format!("{FACTS}/{gone}")).key(&ann)).ok();
    let (hers, his) = (Browser::signed_in(&service, &ann), Browser::signed_in(&service, &bob));
    let mut seen = 0;
    for path in PATHS {
        seen += usize::from(hers.sees(path).contains("drinks"));
        let page = his.sees(path).replace("value=\"canary4711 drinks\"", "");
        assert!(!page.contains(CANARY) && !page.contains(&fact), "{path}: {page}");
    }
    assert!(seen >= 3, "hers show it");
    let nothing = his.get(&format!("/memory/{NOBODYS}"));
    for id in [&fact, &current, &gone] {
        for path in [format!("/memory/{id}"), format!("/memory/{id}/edit")] {
            let answer = his.get(&path);
            assert_eq!(answer.status, 404, "{answer:?}");
            let (same, told) = (nothing.text.split("request ").next(), answer.text.split("request ").next());
            assert_eq!(same, told);
        }
        for act in ["verify", "forget", "restore", "move", "hold", "edit", "admission"] {
            let fields = [
                ("expectVersion", "1"),
                ("scope", "user:bob"),
                ("on", "yes"),
                ("content", "x"),
                ("form", "text"),
            ];
            let answer = his.post(&format!("/memory/{id}/{act}"), &fields);
            assert!(matches!(answer.status, 403 | 404), "{act}: {answer:?}");
            assert!(!answer.text.contains(CANARY), "{act}: {answer:?}");
        }
    }
    assert_eq!(his.get(&format!("/conflicts/{conflict}")).status, 404);
    let settled = his.post(&format!("/conflicts/{conflict}/settle"), &[("version", "1"), ("keep", "1")]);
    assert_eq!(settled.status, 404, "{settled:?}");
    assert!(hers.sees(&format!("/conflicts/{conflict}")).contains("Keep version 1"), "nothing changed");
}

// UI-01, UI-03
#[test]
fn what_is_said_is_text_wherever_it_stands() {
    let service = Running::start();
    let ann = service.person("ann");
    let kai = agent(&service, "ann");
    let evil = "<img src=x onerror=alert(1)> [x](javascript:alert(1)) \" onmouseover=\"alert(2)";
    let body = json!({
        "type": "acme.note", "scope": {"userId": "ann"}, "content": {"text": evil},
        "key": "\"><script>alert(3)</script>", "tags": ["<b>tag</b>"], "reason": "<i>why</i>",
        "evidence": [{"kind": "message", "id": "<u>m</u>", "quote": "<s>quote</s>"}],
        "generatedBy": {"model": "<em>model</em>"},
    });
    let said = service.call(&post(FACTS).key(&kai).json(&body)).ok();
    let fact = said["id"].as_str().unwrap();
    let turned = service.says(&kai, "ann", "allow \u{202e}reverof ton\u{202c} deploy");
    service.says(&ann, "ann", "אני גרה בפורטו");
    let browser = Browser::signed_in(&service, &ann);
    let bad = format!("/memory?q={}", "%3Cscript%3Ealert(4)%3C/script%3E");
    let one = format!("/memory/{fact}");
    for path in ["/memory", "/memory?state=%3Cb%3E", &bad, &one, &format!("{one}/edit")] {
        let page = browser.get(path).text;
        for raw in [
            "<img",
            "<script>",
            "<b>",
            "<i>",
            "<u>",
            "<s>",
            "<em>",
            " onmouseover=\"alert",
            "href=\"javascript",
        ] {
            assert!(!page.contains(raw), "{path}: {raw} in {page}");
        }
    }
    assert!(browser.sees(&one).contains("&lt;img src=x onerror=alert(1)&gt;"));
    let page = browser.sees(&format!("/memory/{turned}"));
    assert!(!page.contains('\u{202e}') && page.contains(">U+202E</span>reverof ton<"), "{page}");
    let list = browser.sees("/memory");
    assert!(list.contains("dir=\"auto\">אני גרה בפורטו<"), "{list}");
}

#[test]
fn what_a_key_may_not_do_is_not_offered_and_refused_politely() {
    let service = Running::start();
    let ann = service.person("ann");
    let fact = service.says(&ann, "ann", "tea");
    let reader = service.key("user:ann", &[Right::FactsRead], &["user:ann"], &[]);
    let browser = Browser::signed_in(&service, &reader);
    let list = browser.sees("/memory");
    assert!(list.contains("href=\"/forgotten\"") && !list.contains("href=\"/conflicts\""), "{list}");
    assert!(!list.contains("/memory/new") && !list.contains("checkbox"), "{list}");
    let page = browser.sees(&format!("/memory/{fact}"));
    for act in ["verify", "forget", "move", "hold", "edit", "admission"] {
        assert!(!page.contains(&format!("/memory/{fact}/{act}")), "{act}: {page}");
        let fields = [("expectVersion", "1"), ("content", "x"), ("scope", "user:ann"), ("on", "yes")];
        let answer = browser.post(&format!("/memory/{fact}/{act}"), &fields);
        assert_eq!(answer.status, 403, "{act}: {answer:?}");
        assert!(
            answer.text.contains("Not with this key") && answer.text.contains("facts:write"),
            "{answer:?}"
        );
    }
    for path in ["/conflicts", "/review", "/duplicates", "/memory/new"] {
        assert_eq!(browser.get(path).status, 403, "{path}");
    }
}

#[test]
fn a_list_is_filtered_and_goes_on() {
    let service = Running::start();
    let ann = service.person("ann");
    for number in 0..30 {
        service.says(&ann, "ann", &format!("note {number}."));
    }
    let kept = json!({"type": "acme.other", "scope": {"userId": "ann"}, "content": {"text": "the one"}, "key": "k", "tags": ["t"]});
    service.call(&post(FACTS).key(&ann).json(&kept)).ok();
    let browser = Browser::signed_in(&service, &ann);
    let first = browser.sees("/memory");
    assert!(first.contains("note 29.") && !first.contains("note 3."), "{first}");
    let older = first.split("rel=\"next\" href=\"").nth(1).unwrap().split('"').next().unwrap();
    let second = browser.sees(&older.replace("&amp;", "&").replace("&#38;", "&"));
    assert!(second.contains("note 3.") && !second.contains("note 29."), "{second}");
    for filter in ["type=acme.other", "key=k", "tag=t", "q=the+one&type=acme.other"] {
        let page = browser.sees(&format!("/memory?{filter}"));
        assert!(page.contains("the one") && !page.contains("note 29."), "{filter}: {page}");
    }
    assert!(!browser.sees("/memory?asOf=2020-01-01T00:00").contains("note"), "nothing was known then");
    assert_eq!(browser.get("/memory?cursor=zzz").status, 400);
}
