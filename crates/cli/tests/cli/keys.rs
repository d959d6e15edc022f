//! Keys of the API: shown once, listed without their secrets, and the operator's alone.

use super::script::Script;

#[test]
fn a_key_is_shown_once_and_revoked() {
    let script = Script::new();
    let made = script.quiet(&[
        "keys",
        "create",
        "desk",
        "--right",
        "facts:read",
        "--right",
        "facts:write",
        "--scope",
        "project:desk",
        "--read",
        "org:acme",
        "--actor",
        "agent:desk@2",
        "--json",
    ]);
    let made = made.ok().json();
    let (id, token) = (made["id"].as_str().unwrap(), made["token"].as_str().unwrap());
    assert!(token.starts_with(&format!("mem_{id}_")), "{token}");
    assert_eq!(made["rights"], serde_json::json!(["facts:read", "facts:write"]));
    assert_eq!(made["writes"], serde_json::json!([{ "tenantId": "local", "projectId": "desk" }]));
    assert_eq!(made["actor"], serde_json::json!({ "kind": "agent", "id": "desk", "agentVersion": "2" }));
    let said = script.quiet(&["keys", "create", "second", "--right", "admin"]).ok();
    assert!(said.out.trim().starts_with("mem_") && said.err.contains("not shown again"), "{said:?}");
    for words in [&["keys", "list"][..], &["keys", "list", "--json"], &["keys", "list", "--tenant", "acme"]] {
        let listed = script.quiet(words).ok();
        assert!(!listed.out.contains(&token[21..]), "{listed:?}");
        assert_eq!(listed.out.contains(id), !words.contains(&"acme"), "{listed:?}");
    }
    assert_eq!(script.quiet(&["keys", "revoke", id]).ok().out, format!("revoked {id}\n"));
    let listed = script.quiet(&["keys", "list", "--json"]).ok().json();
    assert!(listed["keys"][0]["revokedAt"].is_string() && listed["keys"][1]["revokedAt"].is_null());
}

#[test]
fn what_is_no_key_or_no_right_is_refused() {
    let script = Script::new();
    script.quiet(&["keys", "list"]).exits(1);
    script.quiet(&["keys", "create", "desk"]).exits(2);
    script.quiet(&["keys", "create", "desk", "--right", "everything"]).exits(2);
    script.quiet(&["keys", "create", "desk", "--right", "admin", "--scope", "participant:x"]).exits(2);
    script.quiet(&["keys", "create", "", "--right", "admin"]).exits(2);
    script.quiet(&["keys", "create", "desk", "--right", "admin"]).ok();
    script.quiet(&["keys", "revoke", "desk"]).exits(2);
    script.quiet(&["keys", "revoke", "0123456789abcdef"]).exits(3);
    script.quiet(&["keys", "revoke", "0123456789abcdef", "--as", "user:ann"]).exits(4);
}
