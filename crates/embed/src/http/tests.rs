//! Which addresses can be used.

use super::{base, is_loopback};

#[test]
fn an_address_is_http_and_shows_no_secret() {
    for good in ["http://127.0.0.1:11434/v1", "https://example.invalid", "https://example.invalid/a/b/"] {
        assert_eq!(base(good).unwrap().as_str().trim_end_matches('/'), good.trim_end_matches('/'));
    }
    for bad in ["", "example.invalid", "ftp://example.invalid", "http://", "http://k@h/v1", "http://h/v1?k=1"]
    {
        assert!(base(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_loopback_address_is_known_in_each_form() {
    for (address, expected) in [
        ("http://localhost:1", true),
        ("http://127.0.0.2", true),
        ("http://[::1]:1/v1", true),
        ("http://10.0.0.1", false),
        ("http://localhost.example.invalid", false),
    ] {
        assert_eq!(is_loopback(&base(address).unwrap()), expected, "{address}");
    }
}
