//! The table of writers: who may write facts of which scope; and how scopes are named.

use crate::samples::{id, refused_field};
use crate::{Container, Grants, Reach, Scope, Writer};

/// The columns of the table.
const SCOPES: [&str; 14] = [
    "tenant",
    "org:O",
    "project:P",
    "org:O/project:P",
    "project:P/participant:X",
    "project:P/participant:X/thread:T",
    "project:P/thread:T",
    "thread:T",
    "user:U",
    "user:U/thread:T",
    "org:O/user:U",
    "project:P/user:U",
    "session:S",
    "org:O/thread:T",
];

fn scope(path: &str) -> Scope {
    Scope::parse_path("scope", &id("local"), path).unwrap()
}

fn within(grants: Grants) -> Writer {
    Writer { tenant: id("local"), reach: Reach::Within(grants) }
}

/// A writer with grants such as `org:O participant:P/X`.
fn writer(granted: &str) -> Writer {
    let mut grants = Grants::default();
    for grant in granted.split_whitespace() {
        let (kind, name) = grant.split_once(':').unwrap();
        match kind {
            "org" => grants.admin_of_orgs.insert(id(name)),
            "project" => grants.projects.insert(id(name)),
            "user" => grants.users.insert(id(name)),
            "thread" => grants.threads.insert(id(name)),
            "participant" => {
                let (project, participant) = name.split_once('/').unwrap();
                grants.participants.insert((id(project), id(participant)))
            }
            other => panic!("no grant is of a {other}"),
        };
    }
    within(grants)
}

fn writes(writer: &Writer) -> String {
    SCOPES.iter().map(|path| if writer.may_write(&scope(path)) { 'y' } else { '.' }).collect()
}

#[test]
fn writers_within_grants() {
    // tenant, org, project, org+project, participant, participant+thread, project+thread, thread, user,
    // user+thread, org+user, project+user, session, org+thread
    for (granted, written) in [
        ("", ".............."),
        ("org:O", ".y............"),
        ("org:Other", ".............."),
        ("project:P", "..yyyyy......."),
        ("project:Other", ".............."),
        ("participant:P/X", "....yy........"),
        ("participant:P/Other", ".............."),
        ("participant:Other/X", ".............."),
        ("thread:T", ".......y.....y"),
        ("thread:Other", ".............."),
        ("user:U", "........y....."),
        ("user:Other", ".............."),
        ("user:U thread:T", ".......yyy...y"),
        ("user:U org:O", ".y......y.y..."),
        ("user:U project:P", "..yyyyy.y..y.."),
        ("org:O project:P user:U thread:T participant:P/X", ".yyyyyyyyyyy.y"),
    ] {
        assert_eq!(writes(&writer(granted)), written, "{granted}");
    }
}

#[test]
fn an_admin_writes_everything_in_its_tenant_and_nothing_in_another() {
    let mut admin = Writer { tenant: id("local"), reach: Reach::Admin };
    assert_eq!(writes(&admin), "yyyyyyyyyyyyyy");
    admin.tenant = id("other");
    assert_eq!(writes(&admin), "..............");
}

#[test]
fn a_caller_writes_for_whom_it_names() {
    for (caller, written) in [
        ("tenant", ".............."),
        ("org:O", ".y............"),
        ("project:P", "..yyyyy......."),
        ("project:P/participant:X", "....yy........"),
        ("user:U", "........y....."),
        ("thread:T", ".......y.....y"),
        ("session:S", ".............."),
    ] {
        assert_eq!(writes(&within(Grants::of(&scope(caller)))), written, "{caller}");
    }
}

#[test]
fn a_path_names_each_part_once() {
    let full = scope("org:O/project:P/user:U/participant:X/thread:T/session:S");
    assert_eq!(full.session, Some(id("S")));
    assert_eq!(scope("user:a:b").user, Some(id("a:b")));
    for bad in [
        "",
        "Tenant",
        "project",
        "project:",
        "project:P/",
        "project:P/project:Q",
        "participant:X",
        "user:U/participant:X",
        "team:T",
        "tenant/user:U",
        "project:P//user:U",
        "user: U",
        "user:U\0",
    ] {
        let field = if bad.contains("participant") { "scope.participantId" } else { "--scope" };
        assert_eq!(refused_field(Scope::parse_path("--scope", &id("local"), bad)), field, "{bad}");
    }
}

#[test]
fn the_owner_is_the_person_that_a_scope_names() {
    let participant = Container::Participant { project: id("P"), participant: id("X") };
    for (path, owner) in [
        ("tenant", None),
        ("org:O", None),
        ("project:P/thread:T", None),
        ("user:U", Some(Container::User(id("U")))),
        ("project:P/user:U", Some(Container::User(id("U")))),
        ("project:P/participant:X", Some(participant.clone())),
        ("project:P/participant:X/user:U", Some(participant)),
    ] {
        assert_eq!(scope(path).owner(), owner, "{path}");
    }
}

#[test]
fn no_two_containers_share_a_token() {
    let participant =
        |project, participant| Container::Participant { project: id(project), participant: id(participant) };
    let containers = [
        Container::Tenant,
        Container::Org(id("A")),
        Container::Project(id("A")),
        Container::User(id("A")),
        Container::Thread(id("A")),
        Container::PeopleOf(id("A")),
        Container::User(id("a")),
        Container::User(id("tenant")),
        participant("A", "B"),
        participant("B", "A"),
        participant("AB", "C"),
        participant("A", "BC"),
    ];
    let mut tokens: Vec<String> = containers.iter().map(Container::token).collect();
    assert!(tokens.iter().all(|token| token.len() == 32));
    tokens.sort();
    tokens.dedup();
    assert_eq!(tokens.len(), containers.len());
}
