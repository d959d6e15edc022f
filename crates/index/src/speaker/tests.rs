//! Whom queries name.

use fact::{Access, Id, Reader, Scope, Sight};

use super::Naming;

const SPEAKERS: [&str; 6] = ["Ann Lee", "Bob", "Will", "ann", "assistant", "user"];

/// Whom ann's query names of `SPEAKERS`.
#[track_caller]
fn check(query: &str, expected: Option<&str>) {
    let tenant = Id::parse("tenant", "local").unwrap();
    let ann = Scope::parse_path("scope", &tenant, "user:anna").unwrap();
    let reader = Reader { tenant, sight: Sight::Within(Access::of(&ann)) };
    assert_eq!(Naming::of(&reader, query).only(SPEAKERS.into_iter()), expected, "{query}");
}

#[test]
fn a_name_is_named_however_it_is_written() {
    check("What did Bob paint?", Some("Bob"));
    check("bob's dogs, and BOB's cats", Some("Bob"));
    check("What did the assistant say?", Some("assistant"));
}

#[test]
fn several_or_none_are_nobody() {
    check("What did Bob ask the assistant?", None);
    check("What is painted?", None);
    check("", None);
    check("When will it rain?", None);
    check("Where is Lee?", None);
}

#[test]
fn who_asks_about_themselves_is_the_person() {
    check("What are my plans?", Some("user"));
    check("When did I'm-a-painter begin? I've asked", Some("user"));
    check("Did I tell Bob?", None);
    check("What did the user say?", Some("user"));
}

#[test]
fn who_asks_about_themselves_is_also_called_by_their_own_name() {
    let tenant = Id::parse("tenant", "local").unwrap();
    let ann = Scope::parse_path("scope", &tenant, "user:ann").unwrap();
    let within = Reader { tenant: tenant.clone(), sight: Sight::Within(Access::of(&ann)) };
    let admin = Reader { tenant, sight: Sight::Admin };
    let only = |reader: &Reader| Naming::of(reader, "my plans").only(["ann", "bob"].into_iter());
    assert_eq!(only(&within), Some("ann"));
    assert_eq!(only(&admin), None);
}
