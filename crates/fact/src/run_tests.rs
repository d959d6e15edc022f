//! What a run reads by each of its intents (behaviour 122).

use crate::{Access, Id, Near, Reader, Run, Scope, Sight};

fn id(text: &str) -> Id {
    Id::parse("id", text).unwrap()
}

fn scope(path: &str) -> Scope {
    Scope::parse_path("scope", &id("local"), path).unwrap()
}

/// A service that holds project p for its people, and acts for Zoe.
fn service() -> Reader {
    let sight =
        Sight::Within(Access { people_of: [id("p")].into(), users: [id("zoe")].into(), ..Access::default() });
    Reader { tenant: id("local"), sight }
}

const SCOPES: [&str; 9] = [
    "tenant",
    "org:o",
    "project:p",
    "project:q",
    "user:zoe",
    "project:p/participant:mia",
    "project:p/participant:tom",
    "project:p/thread:t",
    "project:p/participant:mia/thread:t",
];

#[track_caller]
fn check(reader: &Reader, run: &str, near: Near, expected: &[&str]) {
    let narrowed = Run::of(scope(run)).reader(reader, near);
    let read: Vec<&str> = SCOPES
        .into_iter()
        .filter(|path| narrowed.as_ref().is_some_and(|reader| reader.may_read(&scope(path))))
        .collect();
    assert_eq!(read, expected, "{run}, {near:?}");
    for path in read {
        let tokens = narrowed.as_ref().unwrap().tokens().unwrap();
        assert!(scope(path).tokens().iter().any(|token| tokens.contains(token)), "{path} is not found");
    }
}

#[test]
fn each_intent_reads_what_it_names_and_the_run_may_see() {
    let mia = "project:p/participant:mia/thread:t";
    let hers = "project:p/participant:mia";
    for reader in [service(), Reader { tenant: id("local"), sight: Sight::Admin }] {
        check(&reader, mia, Near::SameConversation, &["project:p/thread:t", mia]);
        check(&reader, mia, Near::SameUser, &[hers, mia]);
        check(&reader, mia, Near::SameProject, &["project:p", hers, "project:p/thread:t", mia]);
        check(&reader, mia, Near::Tenant, &["tenant", "project:p", hers, "project:p/thread:t", mia]);
    }
}

#[test]
fn a_run_without_an_end_user_reads_nobodys_and_never_its_keys_own() {
    check(&service(), "project:p/thread:t", Near::SameUser, &[]);
    check(&service(), "project:p/thread:t", Near::Tenant, &["tenant", "project:p", "project:p/thread:t"]);
    check(&service(), "tenant", Near::SameProject, &[]);
    check(&service(), "tenant", Near::SameConversation, &[]);
    check(&service(), "tenant", Near::Tenant, &["tenant"]);
}

#[test]
fn a_run_opens_nothing_that_its_reader_may_not_see() {
    let ann = Reader { tenant: id("local"), sight: Sight::Within(Access::of(&scope("user:ann"))) };
    check(&ann, "project:p/participant:mia/thread:t", Near::Tenant, &["tenant"]);
    check(&ann, "user:zoe", Near::SameUser, &[]);
    let elsewhere = Run::of(Scope::tenant(id("other")));
    assert_eq!(elsewhere.reader(&ann, Near::Tenant), None);
}

#[test]
fn names_are_read_back() {
    for near in Near::ALL {
        assert_eq!(Near::parse(near.name()), Some(near));
    }
    assert_eq!(Near::parse("everyone"), None);
}
