//! Conflicts are settled by their owner, without a script.

use super::{Browser, contested, doubts, hidden};
use crate::client::{FACTS, Running, get};

#[test]
fn the_one_that_waits_for_longest_comes_first_and_the_next_one_follows() {
    let service = Running::start();
    let ann = service.person("ann");
    let (fact, first) = contested(&service, &ann, "ann", "Ana drinks green tea", "Ana drinks black coffee");
    let (_, second) = contested(&service, &ann, "ann", "Ana lives in Porto", "Ana lives in Lisbon");
    let browser = Browser::signed_in(&service, &ann);
    let list = browser.sees("/conflicts");
    assert!(list.contains("(2) Conflicts") && !list.contains("drinks"), "a list says nothing of the content");
    assert!(list.find(&first).unwrap() < list.find(&second).unwrap(), "{list}");

    let path = format!("/conflicts/{first}");
    let page = browser.sees(&path);
    for part in ["1 of 2", "<del>green</del><ins>black</ins>", "confidence 0.6", "it was said so", "user:ann"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(page.contains(&format!("href=\"/conflicts/{second}\" data-skip")), "{page}");

    let fields = [
        ("request", hidden(&page, "request")),
        ("version", hidden(&page, "version")),
        ("keep", "2"),
        ("note", "I changed my mind"),
    ];
    let answer = browser.post(&format!("{path}/settle"), &fields);
    assert_eq!(answer.headers["location"], format!("/conflicts/{second}"), "{answer:?}");
    let next = browser.sees(&answer.headers["location"]);
    assert!(
        next.contains("Kept version 2.")
            && next.contains(&format!("{path}/reopen"))
            && next.contains("1 of 1"),
        "{next}"
    );
    let history = browser.sees(&format!("/memory/{fact}"));
    for part in [">current<", "Settled: version 2 was kept", "I changed my mind"] {
        assert!(history.contains(part), "{part}: {history}");
    }

    let page = browser.does(&format!("{path}/reopen"), &[("request", hidden(&next, "request"))]);
    assert!(page.contains("The conflict is open again.") && page.contains("Keep version 1"), "{page}");
}

#[test]
fn neither_may_be_right_or_both() {
    let service = Running::start();
    let ann = service.person("ann");
    let browser = Browser::signed_in(&service, &ann);
    let (fact, reworded) = contested(&service, &ann, "ann", "Ana drinks tea", "Ana drinks coffee");
    let page = browser.sees(&format!("/conflicts/{reworded}"));
    let version = hidden(&page, "version").to_owned();
    let settle = format!("/conflicts/{reworded}/settle");
    let empty = browser
        .post(&settle, &[("version", &version), ("act", "reword"), ("form", "text"), ("note", "kept note")]);
    assert_eq!(empty.status, 400, "{empty:?}");
    assert!(
        empty.text.contains("kept note") && empty.text.contains("wording: must not be empty"),
        "{empty:?}"
    );
    let long = "n".repeat(501);
    let long = browser
        .post(&settle, &[("version", &version), ("keep", "1"), ("note", &long), ("wording", "kept words")]);
    assert_eq!(long.status, 400, "{long:?}");
    assert!(long.text.contains("at most 500") && long.text.contains("kept words"), "{long:?}");
    let words =
        [("version", version.as_str()), ("act", "reword"), ("form", "text"), ("wording", "Ana drinks water")];
    assert!(browser.does(&settle, &words).contains("It says what you wrote now."));
    let now = service.call(&get(&format!("{FACTS}/{fact}")).key(&ann)).ok();
    assert_eq!(now["content"]["text"], "Ana drinks water");

    let (fact, both) = contested(&service, &ann, "ann", "Ana cycles", "Ana takes the train");
    let page = browser.sees(&format!("/conflicts/{both}"));
    let fields = [("version", hidden(&page, "version")), ("act", "both"), ("goesOn", "1"), ("apart", "2")];
    let page = browser.does(&format!("/conflicts/{both}/settle"), &fields);
    assert!(page.contains("Both are true") && page.contains("Nothing is contested"), "{page}");
    let list = browser.sees("/memory");
    assert!(
        list.contains("Ana cycles") && list.contains("Ana takes the train") && list.contains(&fact),
        "{list}"
    );
}

#[test]
fn one_that_changed_meanwhile_is_shown_as_it_is_with_what_was_typed() {
    let service = Running::start();
    let ann = service.person("ann");
    let (fact, conflict) = contested(&service, &ann, "ann", "Ana drinks tea", "Ana drinks coffee");
    let browser = Browser::signed_in(&service, &ann);
    let path = format!("/conflicts/{conflict}");
    let page = browser.sees(&path);
    let version = hidden(&page, "version").to_owned();
    doubts(&service, "ann", &fact, "Ana drinks milk");
    let fields =
        [("version", version.as_str()), ("keep", "1"), ("note", "my own note"), ("wording", "my own words")];
    let stale = browser.post(&format!("{path}/settle"), &fields);
    assert_eq!(stale.status, 409, "{stale:?}");
    for part in ["It changed while you looked at it.", "my own note", "my own words", "Keep version 3"] {
        assert!(stale.text.contains(part), "{part}: {stale:?}");
    }
    assert_ne!(hidden(&stale.text, "version"), version);
    let fields = [("version", hidden(&stale.text, "version")), ("keep", "3")];
    browser.does(&format!("{path}/settle"), &fields);
    // Settled meanwhile: what was typed is still there.
    let late = browser
        .post(&format!("{path}/settle"), &[("version", &version), ("keep", "1"), ("note", "too late")]);
    assert!(
        late.status == 409 && late.text.contains("too late") && late.text.contains("Open it again"),
        "{late:?}"
    );
}

#[test]
fn who_is_not_its_owner_looks_and_does_not_settle() {
    let service = Running::start();
    let ann = service.person("ann");
    let (_, conflict) = contested(&service, &ann, "ann", "Ana drinks tea", "Ana drinks coffee");
    let browser = Browser::signed_in(&service, &service.operator());
    let page = browser.sees(&format!("/conflicts/{conflict}"));
    assert!(page.contains("Only its owner settles it.") && !page.contains("Keep version"), "{page}");
    let forced = browser.post(&format!("/conflicts/{conflict}/settle"), &[("version", "1"), ("keep", "1")]);
    assert_eq!(forced.status, 403, "{forced:?}");
}
