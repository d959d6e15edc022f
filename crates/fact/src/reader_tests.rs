//! The table of readers: who may read facts of which scope.

use proptest::prelude::*;

use crate::limits::CONTAINERS_MAX;
use crate::samples::id;
use crate::{Access, Reader, Scope, Sight};

/// The columns of the table.
const SCOPES: [&str; 16] = [
    "tenant",
    "org:O",
    "project:P",
    "org:O/project:P",
    "user:U",
    "org:O/user:U",
    "project:P/user:U",
    "project:P/participant:X",
    "project:P/participant:X/thread:T",
    "project:P/thread:T",
    "thread:T",
    "user:U/thread:T",
    "session:S",
    "project:P/session:S",
    "project:P/user:U/participant:X",
    "org:O/thread:T",
];

fn scope(path: &str) -> Scope {
    Scope::parse_path("scope", &id("local"), path).unwrap()
}

/// A reader as `tenant` and the containers it has, such as `project:P participant:P/X people:P`.
fn reader(containers: &str) -> Reader {
    let mut access = Access::default();
    for container in containers.split_whitespace() {
        let (kind, name) = container.split_once(':').unwrap();
        match kind {
            "org" => access.orgs.insert(id(name)),
            "project" => access.projects.insert(id(name)),
            "people" => access.people_of.insert(id(name)),
            "user" => access.users.insert(id(name)),
            "thread" => access.threads.insert(id(name)),
            "participant" => {
                let (project, participant) = name.split_once('/').unwrap();
                access.participants.insert((id(project), id(participant)))
            }
            other => panic!("no container is a {other}"),
        };
    }
    within(access)
}

fn within(access: Access) -> Reader {
    Reader { tenant: id("local"), sight: Sight::Within(access) }
}

fn sees(reader: &Reader) -> String {
    SCOPES.iter().map(|path| if reader.may_read(&scope(path)) { 'y' } else { '.' }).collect()
}

/// Every scope that the reader may read is found by one of its tokens.
#[track_caller]
fn check_tokens(reader: &Reader) {
    let tokens = reader.tokens().unwrap();
    for scope in SCOPES.map(scope).iter().filter(|scope| reader.may_read(scope)) {
        assert!(scope.tokens().iter().any(|token| tokens.contains(token)), "{scope:?}");
    }
}

#[test]
fn readers_within_containers() {
    // tenant, org, project, org+project, user, org+user, project+user, participant, participant+thread,
    // project+thread, thread, user+thread, session, project+session, project+user+participant, org+thread
    for (containers, seen) in [
        ("", "y...........y..."),
        ("org:O", "yy..........y..."),
        ("org:Other", "y...........y..."),
        ("project:P", "y.yy........yy.."),
        ("project:Other", "y...........y..."),
        ("people:P", "y.yy...yyy..yy.."),
        ("people:Other", "y...........y..."),
        ("user:U", "y...y.......y..."),
        ("user:Other", "y...........y..."),
        ("participant:P/X", "y......y....y..."),
        ("participant:Other/X", "y...........y..."),
        ("participant:P/Other", "y...........y..."),
        ("thread:T", "y.........y.y..."),
        ("thread:Other", "y...........y..."),
        ("org:O user:U", "yy..yy......y..."),
        ("org:O thread:T", "yy........y.y..y"),
        ("user:U thread:T", "y...y.....yyy..."),
        ("project:P user:U", "y.yyy.y.....yy.."),
        ("project:P thread:T", "y.yy.....yy.yy.."),
        ("project:P participant:P/X", "y.yy...y....yy.."),
        ("project:P participant:P/X thread:T", "y.yy...yyyy.yy.."),
        ("participant:P/X thread:T", "y......yy.y.y..."),
        ("people:P user:U", "y.yyy.yyyy..yyy."),
        ("people:P org:O", "yyyy...yyy..yy.."),
        ("project:P user:U participant:P/X", "y.yyy.yy....yyy."),
        ("org:O project:P user:U thread:T participant:P/X", "yyyyyyyyyyyyyyyy"),
    ] {
        assert_eq!(sees(&reader(containers)), seen, "{containers}");
        check_tokens(&reader(containers));
    }
}

#[test]
fn who_sees_a_whole_tenant_sees_nothing_of_another() {
    for sight in [Sight::Admin, Sight::Operator] {
        let all = Reader { tenant: id("local"), sight };
        assert_eq!(sees(&all), "yyyyyyyyyyyyyyyy");
        assert_eq!(all.tokens(), None);
        let other = Reader { tenant: id("other"), ..all };
        assert_eq!(sees(&other), "................");
    }
    let mut everywhere = reader("org:O project:P user:U thread:T participant:P/X people:P");
    everywhere.tenant = id("other");
    assert_eq!(sees(&everywhere), "................");
    everywhere.tenant = id("Local");
    assert_eq!(sees(&everywhere), "................");
}

#[test]
fn a_caller_opens_what_its_scope_names() {
    for (caller, seen) in [
        ("tenant", "y...........y..."),
        ("org:O", "yy..........y..."),
        ("project:P/participant:X", "y.yy...y....yy.."),
        ("project:P/participant:X/thread:T", "y.yy...yyyy.yy.."),
        ("user:U", "y...y.......y..."),
        ("session:S", "y...........y..."),
    ] {
        assert_eq!(sees(&within(Access::of(&scope(caller)))), seen, "{caller}");
    }
}

#[test]
fn a_participant_without_a_project_is_nobody() {
    let mut broken = Scope::tenant(id("local"));
    broken.participant = Some(id("X"));
    assert!(!reader("participant:P/X project:P people:P").may_read(&broken));
    assert!(broken.check().is_err());
}

#[test]
fn a_reader_is_held_to_its_limit_in_containers() {
    let of = |users: usize| {
        let users = (0..users).map(|number| id(&number.to_string())).collect();
        within(Access { users, ..Access::default() })
    };
    assert!(of(CONTAINERS_MAX - 1).check().is_ok());
    assert!(of(CONTAINERS_MAX).check().is_err());
}

fn any_scope() -> impl Strategy<Value = Scope> {
    let one = || prop::option::of(prop_oneof![Just("A"), Just("B")]);
    (one(), one(), one(), one(), one(), one()).prop_map(
        |(org, project, user, participant, thread, session)| {
            let given = |name: Option<&str>| name.map(id);
            Scope {
                tenant: id("local"),
                org: given(org),
                project: given(project),
                user: given(user),
                participant: given(participant.filter(|_| project.is_some())),
                thread: given(thread),
                session: given(session),
            }
        },
    )
}

fn any_reader() -> impl Strategy<Value = Reader> {
    let names = || prop::collection::btree_set(prop_oneof![Just(id("A")), Just(id("B"))], 0..=2);
    let pair = || (prop_oneof![Just(id("A")), Just(id("B"))], prop_oneof![Just(id("A")), Just(id("B"))]);
    let pairs = prop::collection::btree_set(pair(), 0..=3);
    (names(), names(), names(), names(), pairs, names()).prop_map(
        |(orgs, projects, people_of, users, participants, threads)| {
            within(Access { orgs, projects, people_of, users, participants, threads })
        },
    )
}

/// The rule as the design says it: every container that the scope names is one the reader has.
fn has_every_container(access: &Access, scope: &Scope) -> bool {
    let holds = |project: &&Option<crate::Id>| project.as_ref().is_some_and(|p| access.people_of.contains(p));
    let held = holds(&&scope.project);
    let pair = scope.project.clone().zip(scope.participant.clone());
    let knows = pair.as_ref().is_some_and(|pair| access.participants.contains(pair));
    let project = match &scope.project {
        Some(project) => access.projects.contains(project) || held || knows,
        None => scope.org.as_ref().is_none_or(|org| access.orgs.contains(org)),
    };
    let participant = scope.participant.is_none() || held || knows;
    let user = scope.user.as_ref().is_none_or(|user| access.users.contains(user));
    let thread = scope.thread.as_ref().is_none_or(|thread| access.threads.contains(thread) || held);
    project && participant && user && thread
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_readable_scope_is_found_by_a_token(scope in any_scope(), reader in any_reader()) {
        let tokens = reader.tokens().unwrap();
        if reader.may_read(&scope) {
            prop_assert!(scope.tokens().iter().any(|token| tokens.contains(token)));
        }
    }

    #[test]
    fn reading_needs_every_container(scope in any_scope(), reader in any_reader()) {
        let Sight::Within(access) = &reader.sight else { unreachable!() };
        prop_assert_eq!(reader.may_read(&scope), has_every_container(access, &scope));
    }

    #[test]
    fn what_a_caller_names_it_may_read(scope in any_scope()) {
        prop_assert!(within(Access::of(&scope)).may_read(&scope));
    }
}
