//! What the screen makes of a secret: nothing is kept of it, and nothing else is lost.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::content_tests::any_json;
use crate::samples::id;
use crate::{
    Detector, Draft, HoldsSecret, Legacy, LegacyOrigin, LegacySource, Screen, SecretPolicy, SecretValues,
    Text,
};

fn screen(policy: SecretPolicy) -> Screen {
    Screen::new(policy, SecretValues::parse("Zanzibar-77").unwrap())
}

fn draft(json: Value) -> Draft {
    Draft::from_json(json, &id("local")).unwrap()
}

fn refused(json: Value) -> Option<(&'static str, Detector)> {
    let HoldsSecret { field, detector } = screen(SecretPolicy::Refuse).draft(draft(json)).err()?;
    Some((field, detector))
}

fn redacted(json: Value) -> Value {
    screen(SecretPolicy::Redact).draft(draft(json)).unwrap().to_json()
}

#[test]
fn every_word_of_a_draft_is_looked_at() {
    let secret = "password is hunter2";
    let token = ["gh", "p_16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    for (json, field) in [
        (json!({ "content": secret }), "content"),
        (json!({ "content": { "a": [1, { "b": [secret] }] } }), "content"),
        (json!({ "content": { "a": { secret: true } } }), "content"),
        (json!({ "content": "x", "key": secret }), "key"),
        (json!({ "content": "x", "tags": ["fine", secret] }), "tags"),
        (json!({ "content": "x", "reason": secret }), "reason"),
        (
            json!({ "content": "x", "evidence": [{ "kind": "run", "id": "r", "quote": secret }] }),
            "evidence.quote",
        ),
    ] {
        assert_eq!(refused(json.clone()), Some((field, Detector::Password)), "{json}");
        let kept = redacted(json).to_string();
        assert!(kept.contains("password is [redacted: password]") && !kept.contains("hunter2"), "{kept}");
    }
    for (json, field) in [
        (json!({ "content": "x", "type": format!("acme.{token}") }), "type"),
        (json!({ "content": "x", "scope": { "userId": token } }), "scope"),
        (json!({ "content": "x", "subjects": [{ "kind": "person", "id": token }] }), "subjects"),
        (json!({ "content": "x", "generatedBy": { "runId": token } }), "generatedBy"),
        (json!({ "content": "x", "evidence": [{ "kind": "run", "id": token }] }), "evidence.id"),
    ] {
        assert_eq!(refused(json.clone()), Some((field, Detector::GithubToken)), "{json}");
        let kept = screen(SecretPolicy::Redact).draft(draft(json));
        assert_eq!(kept.unwrap_err().field, field, "an id is never changed");
    }
}

#[test]
fn what_is_named_beside_its_value_is_found() {
    for json in [
        json!({ "content": { "password": "hunter2" } }),
        json!({ "content": { "wifi": { "wifiPassword": "hunter2" } } }),
        json!({ "content": { "passwords": { "password": ["hunter2"] } } }),
        json!({ "content": { "turns": ["What is your password?", "hunter2"] } }),
        json!({ "content": ["my password is", "hunter2"] }),
        json!({ "content": "hunter2", "key": "wifi-password" }),
        json!({ "content": { "text": "hunter2" }, "tags": ["password"] }),
        json!({ "content": "hunter2", "evidence": [{ "kind": "message", "id": "m", "quote": "my password is" }] }),
    ] {
        assert_eq!(refused(json.clone()), Some(("content", Detector::Password)), "{json}");
        assert!(!redacted(json).to_string().contains("hunter2"));
    }
    assert_eq!(refused(json!({ "content": { "pin": 4821 } })), Some(("content", Detector::Pin)));
    for json in [
        json!({ "content": "hunter2" }),
        json!({ "content": { "password": "in the vault" } }),
        json!({ "content": { "password": "required", "passwordPolicy": "strict8" } }),
        json!({ "content": { "text": "keeps them in a vault" }, "key": "password" }),
        json!({ "content": { "secret": true, "pin": 13, "token": "refresh" } }),
        json!({ "content": "tea", "key": "password" }),
        json!({ "content": "agent7", "tags": ["password-manager"] }),
    ] {
        assert_eq!(refused(json.clone()), None, "{json}");
    }
}

#[test]
fn the_meaning_is_kept() {
    for (said, kept) in [
        (
            "The wifi password is hunter2, the network is Casa",
            "The wifi password is [redacted: password], the network is Casa",
        ),
        (
            "postgres://ana:s3cr3tpw@db.example.com/app",
            "postgres://ana:[redacted: connection-password]@db.example.com/app",
        ),
        ("call Zanzibar%2D77 or Zanzibar-77!", "call [redacted: listed-value] or [redacted: listed-value]!"),
        ("用密码是hunter2登录", "用密码是[redacted: password]"),
    ] {
        let redacted = screen(SecretPolicy::Redact).text("text", said).unwrap().into_owned();
        assert!(redacted.starts_with(kept) || redacted == kept, "{redacted}");
    }
    let two = redacted(json!({ "content": { "password is hunter2": 1, "password is hunter3": 2 } }));
    let names: Vec<&String> = two["content"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["password is [redacted: password]", "password is [redacted: password] 2"]);
}

#[test]
fn a_request_that_nobody_looked_at_is_refused_even_where_secrets_are_redacted() {
    let meaning =
        json!({ "ruling": { "reword": { "content": { "deep": "password is hunter2" } } }, "note": "fine" });
    let refused = screen(SecretPolicy::Redact).check(&meaning).unwrap_err();
    assert_eq!(refused.to_string(), "content: holds a secret (found by: password)");
    let refused = screen(SecretPolicy::Redact).check(&json!({ "note": "Zanzibar-77" })).unwrap_err();
    assert_eq!((refused.field, refused.detector), ("note", Detector::ListedValue));
    assert!(screen(SecretPolicy::Off).check(&meaning).is_ok());
}

#[test]
fn a_memory_from_before_the_ledger_is_looked_at_too() {
    let text = |text: &str| Text::stored(text.to_owned());
    let legacy = |words: &str, place: &str| {
        Legacy::new(LegacySource::Ndjson, LegacyOrigin::Unknown, text(place), text(words))
    };
    let refuse = screen(SecretPolicy::Refuse);
    assert_eq!(refuse.legacy(legacy("password is hunter2", "1")).unwrap_err().field, "text");
    let redact = screen(SecretPolicy::Redact);
    assert_eq!(
        redact.legacy(legacy("password is hunter2", "1")).unwrap().text.as_str(),
        "password is [redacted: password]"
    );
    assert_eq!(redact.legacy(legacy("tea", "notes/Zanzibar-77.md")).unwrap_err().field, "place");
    let plain = legacy("Mia drinks tea", "notes/mia.md");
    assert_eq!(refuse.legacy(plain.clone()).unwrap(), plain);
}

#[test]
fn nothing_is_looked_for_where_that_is_off() {
    let said = json!({ "content": "password is hunter2, Zanzibar-77" });
    assert_eq!(screen(SecretPolicy::Off).draft(draft(said.clone())).unwrap().to_json(), said);
    assert_eq!(screen(SecretPolicy::Off).cleaned("password is hunter2"), None);
}

proptest! {
    /// What is redacted holds nothing more, and is the same when it is looked at again.
    #[test]
    fn nothing_is_left_once_it_is_redacted(
        before in "[ -~]{0,30}", secret in "(password is [a-z]{3,6}[0-9]{2,4}|Zanzibar-77|pin: [0-9]{4})", after in "[ -~]{0,30}",
    ) {
        let screen = screen(SecretPolicy::Redact);
        let said = format!("{before} {secret} {after}");
        let kept = screen.text("text", &said).unwrap().into_owned();
        prop_assert!(!kept.contains("Zanzibar-77"));
        let again = screen.text("text", &kept).unwrap().into_owned();
        prop_assert_eq!(again, kept);
    }

    /// Whatever JSON is said, what is kept of it passes the last check, and a check never fails on what it refused to see.
    #[test]
    fn what_is_kept_passes_the_last_check(content in any_json()) {
        let screen = screen(SecretPolicy::Redact);
        let kept = screen.draft(Draft { content: Some(content), ..Draft::default() }).unwrap();
        prop_assert!(screen.check(&kept.to_json()).is_ok());
    }
}
