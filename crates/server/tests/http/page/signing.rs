//! Who is signed in, for how long, and what another site cannot do.

use super::{Browser, form};
use crate::client::{NOBODYS, Running, get, post};

#[test]
fn who_is_not_signed_in_is_asked_to_and_comes_back() {
    let service = Running::start();
    let key = service.person("ann");
    for (path, to) in [
        ("/", "/sign-in"),
        ("/memory", "/sign-in"),
        ("/conflicts", "/sign-in?next=/conflicts"),
        ("/memory?q=tea", "/sign-in?next=/memory%3Fq%3Dtea"),
    ] {
        let answer = service.call(&get(path));
        assert_eq!((answer.status, answer.headers["location"].as_str()), (303, to), "{path}");
    }
    for (next, to) in [
        ("/memory?q=tea", "/memory?q=tea"),
        ("//elsewhere.example", "/"),
        ("/\\elsewhere.example", "/"),
        ("https://elsewhere.example", "/"),
    ] {
        let answer = service.call(&form("/sign-in", &[("key", &key), ("next", next)]));
        assert_eq!((answer.status, answer.headers["location"].as_str()), (303, to), "{next}");
    }
    let answer = service.call(&form(&format!("/memory/{NOBODYS}/forget"), &[]));
    assert_eq!(answer.status, 401, "{answer:?}");
    assert!(answer.text.contains("nothing was changed"), "{answer:?}");
}

// Each key has a first section of its own
#[test]
fn who_only_operates_comes_to_search_sync() {
    let service = Running::start();
    let operates = service.key("operator:olga", &[truthkeeper::Right::Operate], &[], &[]);
    for (key, to) in [(service.person("ann"), "/memory"), (operates, "/sync")] {
        let signed = service.call(&form("/sign-in", &[("key", &key)]));
        let cookie = signed.headers["set-cookie"].split(';').next().unwrap().to_owned();
        let home = service.call(&get("/").header("Cookie", &cookie));
        assert_eq!((home.status, home.headers["location"].as_str()), (303, to));
        assert_eq!(service.call(&get(to).header("Cookie", &cookie)).status, 200);
    }
}

#[test]
fn a_session_is_a_cookie_that_scripts_and_other_sites_do_not_get() {
    let service = Running::start();
    let key = service.person("ann");
    let answer = service.call(&form("/sign-in", &[("key", &key)]));
    let cookie = &answer.headers["set-cookie"];
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{cookie}");
    assert!(!cookie.contains("mem_"), "the key stays here: {cookie}");
    let host = service.address;
    let over_tls = form("/sign-in", &[("key", &key)]).header("Origin", &format!("https://{host}"));
    let answer = service.call(&over_tls);
    assert!(answer.headers["set-cookie"].ends_with("; Secure"), "{answer:?}");
}

#[test]
fn a_wrong_key_opens_nothing_and_is_not_shown_again() {
    let service = Running::start();
    let wrong = format!("mem_0123456789abcdef_{}", "0".repeat(72));
    for key in ["", "secret-of-somebody", &wrong] {
        let answer = service.call(&form("/sign-in", &[("key", key)]));
        assert_eq!((answer.status, answer.headers.get("set-cookie")), (401, None), "{answer:?}");
        assert!(answer.text.contains("That key opens nothing"), "{answer:?}");
        assert!(key.is_empty() || !answer.text.contains(key), "{answer:?}");
    }
}

#[test]
fn who_guesses_keys_is_held_off() {
    let service = Running::start();
    let known = Browser::signed_in(&service, &service.person("ann"));
    let revoked = service.person("bob");
    service.revoke(&revoked);
    let guess = || service.call(&form("/sign-in", &[("key", &revoked)]));
    assert_eq!(guess().status, 401);
    let answer = (0..40).map(|_| guess()).find(|answer| answer.status == 429).expect("it is held off");
    assert!(answer.text.contains("Not so fast") && answer.headers.contains_key("retry-after"), "{answer:?}");
    assert!(known.sees("/memory").contains("user:ann"), "who is signed in is not held off");
}

#[test]
fn a_session_ends_with_its_key_and_by_signing_out() {
    let service = Running::start();
    let (left, revoked) = (service.person("ann"), service.person("ann"));
    let (leaves, loses) = (Browser::signed_in(&service, &left), Browser::signed_in(&service, &revoked));
    assert!(leaves.sees("/memory").contains("user:ann"));
    assert_eq!(leaves.post("/sign-out", &[]).headers["location"], "/sign-in");
    assert_eq!(leaves.get("/memory").headers["location"], "/sign-in");
    loses.sees("/memory");
    service.revoke(&revoked);
    assert_eq!(loses.get("/memory").headers["location"], "/sign-in");
    assert_eq!(loses.post("/memory/new", &[("content", "x")]).status, 401);
}

#[test]
fn a_page_of_another_site_changes_nothing() {
    let service = Running::start();
    let ann = service.person("ann");
    let fact = service.says(&ann, "ann", "tea");
    let browser = Browser::signed_in(&service, &ann);
    let forget = || {
        post(&format!("/memory/{fact}/forget"))
            .header("Cookie", &browser.cookie)
            .bytes("application/x-www-form-urlencoded", Vec::new())
    };
    let host = service.address;
    for foreign in [
        forget().header("Sec-Fetch-Site", "cross-site"),
        forget().header("Sec-Fetch-Site", "same-site"),
        forget().header("Origin", "https://elsewhere.example"),
        forget().header("Origin", "null"),
        forget().header("Origin", &format!("http://{host}")).header("Sec-Fetch-Site", "cross-site"),
    ] {
        let answer = service.call(&foreign);
        assert_eq!(answer.status, 403, "{answer:?}");
        assert!(answer.text.contains("origin-not-allowed"), "{answer:?}");
    }
    assert!(browser.sees(&format!("/memory/{fact}")).contains(">current<"));
}

#[test]
fn every_page_forbids_what_is_not_ours() {
    let service = Running::start();
    let browser = Browser::signed_in(&service, &service.person("ann"));
    let missing = service.call(&get("/nothing").header("Accept", "text/html"));
    for answer in [service.call(&get("/sign-in")), browser.get("/memory"), missing] {
        let policy = &answer.headers["content-security-policy"];
        assert!(policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
        assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
        assert_eq!(answer.headers["cache-control"], "no-store");
        assert_eq!(answer.headers["x-content-type-options"], "nosniff");
        assert_eq!(answer.headers["content-type"], "text/html; charset=utf-8");
        assert!(!answer.text.contains(" style=") && !answer.text.contains("<script>"), "{answer:?}");
    }
    let page = browser.sees("/memory");
    for ending in [".css", ".js", ".svg"] {
        let path = page.split('"').find(|piece| piece.starts_with("/assets/") && piece.ends_with(ending));
        let asset = service.call(&get(path.unwrap()));
        assert_eq!(asset.status, 200, "{path:?}");
        assert!(asset.headers["cache-control"].contains("immutable"), "{asset:?}");
    }
}
