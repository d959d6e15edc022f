//! Older memories become facts on the page, and are taken back.

use serde_json::{Value, json};
use truthkeeper::{FactId, Right};

use super::{Browser, hidden};
use crate::client::{NOBODYS, Running};

const EVIL: &str = "<img src=x onerror=alert(1)> likes \u{202e}aet";

/// What another program kept of Ann: of every kind one, and two that are safe.
fn kept(service: &Running) {
    let some = [
        ("a.md", "Ana plays chess", json!({})),
        ("b.md", "Ana has a garden", json!({"key": "\"><script>alert(2)</script>"})),
        ("c.md", "Ana lives in Berlin", json!({})),
        ("d.md", "Ana lives in Lisbon", json!({})),
        ("e.md", "Ana works from home", json!({"validUntil": 1_577_836_800_000_000_i64})),
        ("f.md", "Fixed the build with Ben", json!({"origin": "episode"})),
        ("g.md", "Deploys go out on Fridays", json!({"project": "kai"})),
        ("h.md", EVIL, json!({})),
    ];
    for (place, text, more) in some {
        service.remembered_otherwise("ann", place, text, more);
    }
}

/// Begins a review of Ann's, and gives where it is.
fn begun(browser: &Browser<'_>) -> String {
    let answer = browser.post("/adoption/begin", &[("owner", "user:ann")]);
    assert_eq!(answer.status, 303, "{answer:?}");
    answer.headers["location"].clone()
}

/// The addresses of the groups on a page, each once.
fn groups(page: &str) -> Vec<String> {
    let mut groups: Vec<String> = page
        .split("href=\"")
        .filter_map(|piece| piece.split('"').next())
        .filter(|path| path.contains("/groups/"))
        .map(str::to_owned)
        .collect();
    groups.dedup();
    groups
}

/// The rows of a group's page, with what each says.
fn rows(page: &str) -> Vec<(String, String)> {
    let pieces = page.split("name=\"row\" value=\"").skip(1);
    let row = |piece: &str| {
        let said = piece.split("<blockquote").nth(1).unwrap().split('>').nth(1).unwrap();
        (piece[..36].to_owned(), said.split('<').next().unwrap().to_owned())
    };
    pieces.map(row).collect()
}

/// Decides about every row of each group that is not decided, by what it says.
fn decide(browser: &Browser<'_>, path: &str, choice: impl Fn(&str) -> &'static str) {
    for group in groups(&browser.sees(path)) {
        let page = browser.sees(&group);
        let rows = rows(&page);
        let names: Vec<String> = rows.iter().map(|(row, _)| format!("choice-{row}")).collect();
        let mut fields = vec![("version", hidden(&page, "version")), ("then", "stay")];
        for ((row, text), name) in rows.iter().zip(&names) {
            fields.extend([("row", row.as_str()), (name.as_str(), choice(text))]);
        }
        let page = browser.does(&group, &fields);
        assert!(page.contains("Saved: ") && page.contains(" 0 left."), "{page}");
    }
}

fn apply(browser: &Browser<'_>, path: &str) -> String {
    let page = browser.sees(&format!("{path}/summary"));
    let page = browser.does(&format!("{path}/seal"), &[("version", hidden(&page, "version"))]);
    assert!(page.contains("It is sealed. Nothing is applied yet."), "{page}");
    let answer = browser.post(&format!("{path}/apply"), &[("confirm", "yes")]);
    assert_eq!(answer.status, 303, "{answer:?}");
    answer.headers["location"].clone()
}

#[test]
fn a_review_is_made_applied_and_taken_back() {
    let service = Running::start();
    kept(&service);
    let ann = service.person("ann");
    let browser = Browser::signed_in(&service, &ann);
    let list = browser.sees("/adoption");
    assert!(list.contains("<strong>8</strong> waiting for a review"), "{list}");
    let path = begun(&browser);
    let page = browser.sees(&path);
    assert!(page.contains("0 approved, 0 rejected, 0 deferred, 8 left"), "{page}");

    approves_what_is_safe(&browser, &path);
    let lisbon = decides_one_by_one(&browser, &path);
    seals(&browser, &path, &lisbon);
    let adoption = applies(&browser, &path);
    takes_back(&browser, &adoption);
}

/// What is safe is approved, after a look at it.
fn approves_what_is_safe(browser: &Browser<'_>, path: &str) {
    let preview = browser.sees(&format!("{path}/safe"));
    assert!(
        preview.contains("Ana plays chess") && preview.contains("2 statements would become"),
        "{preview}"
    );
    for never in ["Berlin", "Lisbon", "Deploys", "works from home", "Fixed the build", "likes"] {
        assert!(!preview.contains(never), "{never}: {preview}");
    }
    let page = browser.does(&format!("{path}/safe"), &[("version", hidden(&preview, "version"))]);
    assert!(page.contains("2 approved, 0 rejected, 0 deferred, 6 left"), "{page}");
    let again = browser.does(&format!("{path}/safe"), &[("version", hidden(&preview, "version"))]);
    assert!(again.contains("2 approved, 0 rejected"), "the same again is taken as done: {again}");
}

/// What contradicts is decided one by one, with other words; gives the group.
fn decides_one_by_one(browser: &Browser<'_>, path: &str) -> String {
    let page = browser.sees(path);
    let lisbon = groups(&page).into_iter().find(|group| browser.sees(group).contains("Lisbon")).unwrap();
    let page = browser.sees(&lisbon);
    let version = hidden(&page, "version");
    let refused =
        browser.post(&lisbon, &[("version", version), ("decision", "approve"), ("note", "kept <b>")]);
    assert_eq!(refused.status, 400, "{refused:?}");
    assert!(refused.text.contains("one by one") && refused.text.contains("kept &#60;b&#62;"), "{refused:?}");
    let two = rows(&page);
    let berlin = two.iter().position(|(_, text)| text.contains("Berlin")).unwrap();
    let (berlin, lives) = (&two[berlin].0, &two[1 - berlin].0);
    let (no, yes) = (format!("choice-{berlin}"), format!("choice-{lives}"));
    let (words, from) = (format!("corrected-{lives}"), format!("from-{lives}"));
    let mut fields = vec![
        ("version", version),
        ("row", berlin),
        ("row", lives),
        (&no, "reject"),
        (&yes, "approve"),
        (&words, "Ana lives in Lisbon, by the river"),
        (&from, "soon"),
        ("note", "she moved"),
    ];
    let refused = browser.post(&lisbon, &fields);
    assert_eq!(refused.status, 400, "{refused:?}");
    assert!(refused.text.contains("by the river") && refused.text.contains("true from"), "{refused:?}");
    fields[6].1 = "2025-10-01T08:00";
    browser.does(&lisbon, &fields);
    let late = [("version", version), ("decision", "reject"), ("note", "from another window")];
    let late = browser.post(&lisbon, &late);
    assert_eq!(late.status, 409, "{late:?}");
    assert!(
        late.text.contains("another window: nothing was taken") && late.text.contains("from another window")
    );
    lisbon
}

/// What is left stops the seal; what is sealed is fixed.
fn seals(browser: &Browser<'_>, path: &str, lisbon: &str) {
    let page = browser.sees(lisbon);
    let early = browser.post(&format!("{path}/seal"), &[("version", hidden(&page, "version"))]);
    assert_eq!(early.status, 409, "{early:?}");
    assert!(early.text.contains("Not everything is decided yet."), "{early:?}");
    decide(browser, path, |text| match text {
        text if text.contains("Berlin") || text.contains("Deploys") => "reject",
        text if text.contains("works from home") => "defer",
        _ => "approve",
    });
    let list = browser.sees("/adoption");
    assert!(list.contains("8 of 8 decided"), "one can leave and come back: {list}");
    let early = browser.post(&format!("{path}/apply"), &[("confirm", "yes")]);
    assert_eq!(early.status, 409, "nothing is applied that is not sealed: {early:?}");
    let summary = browser.sees(&format!("{path}/summary"));
    assert!(summary.contains("5 approved, 2 rejected, 1 deferred, 0 left"), "{summary}");
    browser.does(&format!("{path}/seal"), &[("version", hidden(&summary, "version"))]);
    let file = browser.get(&format!("{path}/sealed.json"));
    assert!(
        file.headers["content-disposition"].starts_with("attachment") && file.json()["digest"].is_string()
    );
    let fixed = browser.post(lisbon, &[("version", hidden(&page, "version")), ("decision", "reject")]);
    assert_eq!(fixed.status, 409, "{fixed:?}");
    let unsure = browser.post(&format!("{path}/apply"), &[]);
    assert_eq!(unsure.status, 400, "{unsure:?}");
    assert!(!browser.sees("/memory").contains("Ana"), "nothing is applied yet");
}

/// It is applied once; gives the adoption.
fn applies(browser: &Browser<'_>, path: &str) -> String {
    let adoption = browser.post(&format!("{path}/apply"), &[("confirm", "yes")]).headers["location"].clone();
    let page = browser.sees(&adoption);
    assert!(page.contains("It is applied: ") && page.contains("became a fact"), "{page}");
    let memory = browser.sees("/memory");
    for there in ["Ana plays chess", "Ana lives in Lisbon, by the river", "&lt;img src=x onerror"] {
        assert!(memory.contains(there), "{there}: {memory}");
    }
    assert!(!memory.contains("Berlin") && !memory.contains("Fixed the build"), "{memory}");
    let again = browser.does(&format!("{path}/apply"), &[("confirm", "yes")]);
    assert!(again.contains("It had been applied already"), "{again}");
    adoption
}

/// What was changed since stays.
fn takes_back(browser: &Browser<'_>, adoption: &str) {
    let page = browser.sees(adoption);
    let facts = page.split("href=\"/memory/").skip(1).map(|piece| &piece[..36]).collect::<Vec<_>>();
    let chess = facts.iter().find(|fact| browser.sees(&format!("/memory/{fact}")).contains("chess")).unwrap();
    let edit = [("form", "text"), ("content", "Ana plays chess well"), ("expectVersion", "1")];
    browser.does(&format!("/memory/{chess}/edit"), &edit);
    assert_eq!(browser.post(&format!("{adoption}/rollback"), &[]).status, 400);
    let page = browser.does(&format!("{adoption}/rollback"), &[("confirm", "yes")]);
    assert!(page.contains("It is taken back.") && page.contains("stays: it was changed since"), "{page}");
    let memory = browser.sees("/memory");
    assert!(memory.contains("chess well") && !memory.contains("Lisbon"), "{memory}");
    assert!(browser.sees("/adoption").contains("taken back"));
}

#[test]
fn what_is_not_ones_own_is_not_there() {
    let service = Running::start();
    service.remembered_before("ann", "canary of before");
    let (ann, bob) = (service.person("ann"), service.person("bob"));
    let (hers, his) = (Browser::signed_in(&service, &ann), Browser::signed_in(&service, &bob));
    let path = begun(&hers);
    decide(&hers, &path, |_| "approve");
    let group = groups(&hers.sees(&path)).remove(0);
    let adoption = {
        let list = his.sees("/adoption");
        assert!(list.contains("Nothing was brought in") && !list.contains("canary"), "{list}");
        let begun = his.post("/adoption/begin", &[("owner", "user:ann")]);
        assert_eq!(begun.status, 409, "{begun:?}");
        assert!(begun.text.contains("waits for a review") && !begun.text.contains("canary"), "{begun:?}");
        for path in [&path, &format!("{path}/safe"), &format!("{path}/summary"), &group] {
            assert_eq!(his.get(path).status, 404, "{path}");
        }
        let typed = his.post(&group, &[("corrected-x", "what I typed"), ("note", "my note")]);
        assert_eq!(typed.status, 404, "{typed:?}");
        assert!(typed.text.contains("what I typed") && typed.text.contains("my note"), "{typed:?}");
        for act in ["safe", "seal", "unseal", "apply"] {
            assert_eq!(his.post(&format!("{path}/{act}"), &[("confirm", "yes")]).status, 404, "{act}");
        }
        apply(&hers, &path)
    };
    let answers = [his.get(&adoption), his.get(&format!("/adoption/{NOBODYS}"))];
    for answer in answers {
        assert_eq!(answer.status, 404, "{answer:?}");
        assert!(!answer.text.contains("canary"), "{answer:?}");
    }
    assert_eq!(his.post(&format!("{adoption}/rollback"), &[("confirm", "yes")]).status, 404);
    assert!(!his.sees("/adoption").contains(&adoption));
    assert!(hers.sees("/memory").contains("canary of before"), "nothing was taken back");
}

#[test]
fn only_people_with_the_right_decide_and_only_writers_apply() {
    let service = Running::start();
    service.remembered_before("ann", "Ana plays chess");
    let reviewer = service.key("user:ann", &[Right::Review, Right::FactsRead], &[], &["user:ann"]);
    let browser = Browser::signed_in(&service, &reviewer);
    let path = begun(&browser);
    decide(&browser, &path, |_| "approve");
    let page = browser.sees(&format!("{path}/summary"));
    let page = browser.does(&format!("{path}/seal"), &[("version", hidden(&page, "version"))]);
    assert!(page.contains("whoever may write them applies it") && !page.contains("/apply\""), "{page}");
    assert_eq!(browser.post(&format!("{path}/apply"), &[("confirm", "yes")]).status, 403);
    let others = [
        service.key("user:ann", &[Right::FactsRead, Right::FactsWrite], &[], &["user:ann"]),
        service.key("agent:kai", &[Right::FactsRead, Right::FactsWrite, Right::Review], &[], &["user:ann"]),
    ];
    for key in others {
        let browser = Browser::signed_in(&service, &key);
        assert!(!browser.sees("/memory").contains("href=\"/adoption\""));
        assert_eq!(browser.get("/adoption").status, 403);
        assert_eq!(browser.post("/adoption/begin", &[("owner", "user:ann")]).status, 403);
        assert_eq!(browser.post(&format!("{path}/apply"), &[("confirm", "yes")]).status, 403);
    }
}

#[test]
fn what_changed_since_is_told_and_nothing_is_done() {
    let service = Running::start();
    service.remembered_otherwise("ann", "a.md", "Ana plays chess", json!({}));
    service.remembered_otherwise("ann", "b.md", "Ana has a garden", json!({}));
    let ann = service.person("ann");
    let browser = Browser::signed_in(&service, &ann);
    let path = begun(&browser);
    decide(&browser, &path, |_| "approve");
    let page = browser.sees(&format!("{path}/summary"));
    browser.does(&format!("{path}/seal"), &[("version", hidden(&page, "version"))]);
    // Its source says something else by now.
    service.remembered_otherwise("ann", "a.md", "Ana plays the viola", json!({}));
    let stale = browser.post(&format!("{path}/apply"), &[("confirm", "yes")]);
    assert_eq!(stale.status, 409, "{stale:?}");
    assert!(
        stale.text.contains("1 memory changed, or were decided") && stale.text.contains("garden"),
        "{stale:?}"
    );
    assert!(!browser.sees("/memory").contains("garden"));
}

#[test]
fn an_unfinished_run_takes_no_other_decisions_and_can_be_taken_back() {
    let service = Running::start();
    service.remembered_before("ann", "Ana plays chess");
    let ann = service.person("ann");
    let browser = Browser::signed_in(&service, &ann);
    let path = begun(&browser);
    decide(&browser, &path, |_| "approve");
    let page = browser.sees(&format!("{path}/summary"));
    browser.does(&format!("{path}/seal"), &[("version", hidden(&page, "version"))]);
    let adoption = began_and_died(&service, &browser.get(&format!("{path}/sealed.json")).json());
    browser.does(&format!("{path}/unseal"), &[]);
    decide(&browser, &path, |_| "reject");
    let page = browser.sees(&format!("{path}/summary"));
    browser.does(&format!("{path}/seal"), &[("version", hidden(&page, "version"))]);
    let other = browser.post(&format!("{path}/apply"), &[("confirm", "yes")]);
    assert_eq!(other.status, 409, "{other:?}");
    assert!(other.text.contains("has begun with other decisions"), "{other:?}");
    let anew = browser.post("/adoption/begin", &[("owner", "user:ann")]);
    assert_eq!(anew.status, 409, "{anew:?}");
    let page = browser.sees(&format!("/adoption/{adoption}"));
    assert!(page.contains("It has begun and not ended."), "{page}");
    let page = browser.does(&format!("/adoption/{adoption}/rollback"), &[("confirm", "yes")]);
    assert!(page.contains("It is taken back."), "{page}");
    begun(&browser);
}

/// Begins to apply what was sealed, as a process that dies after that; gives the adoption.
fn began_and_died(service: &Running, sealed: &Value) -> String {
    let tenant = truthkeeper::Id::parse("tenant", "local").unwrap();
    let rows = sealed["sealed"]["rows"].as_array().unwrap().iter().map(|row| {
        let digest = row["digest"].as_str().unwrap().to_owned();
        (FactId::parse(row["row"].as_str().unwrap()).unwrap(), digest)
    });
    let rows = rows.collect();
    service.wait(async {
        let ledger = service.memory.ledger();
        let adoption = ledger.adoptions(&tenant).await.unwrap()[0].adoption;
        let now = service.memory.now(&tenant).await.unwrap();
        ledger.begin_adoption(tenant.clone(), adoption, rows, now).await.unwrap();
        adoption.to_string()
    })
}

#[test]
fn what_older_memories_say_is_text_everywhere() {
    let service = Running::start();
    kept(&service);
    let ann = service.person("ann");
    let browser = Browser::signed_in(&service, &ann);
    let path = begun(&browser);
    let mut pages = vec![path.clone(), format!("{path}/safe"), format!("{path}/summary")];
    pages.extend(groups(&browser.sees(&path)));
    let mut seen: Vec<String> = pages.iter().map(|path| browser.sees(path)).collect();
    decide(&browser, &path, |_| "reject");
    let decided = browser.sees(&path);
    let adoption = apply(&browser, &path);
    seen.extend([decided, browser.sees(&format!("{path}/summary")), browser.sees(&adoption)]);
    for page in &seen {
        for raw in ["<img", "<script>", "\u{202e}"] {
            assert!(!page.contains(raw), "{raw} in {page}");
        }
    }
    let shown = |what: &str| seen.iter().filter(|page| page.contains(what)).count();
    assert!(shown("&lt;img src=x onerror=alert(1)&gt;") >= 3 && shown(">U+202E</span>") >= 3);
    assert!(shown("&lt;script&gt;alert(2)") >= 1, "its key, too");
}
