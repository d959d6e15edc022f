//! How often an owner's truth is spoken of (behaviour 61).

use fact::{Container, Id, Timestamp};

use crate::log::{OWNERS_MAX, Spoken};

fn owner(name: &str) -> (Id, Container) {
    let id = |text: &str| Id::parse("id", text).unwrap();
    (id("local"), Container::User(id(name)))
}

#[test]
fn an_owner_is_spoken_of_once_a_minute() {
    let spoken = Spoken::default();
    let second = |second: i64| Timestamp::from_micros(second * 1_000_000);
    assert!(spoken.is_due(&owner("ann"), second(0)));
    assert!(!spoken.is_due(&owner("ann"), second(59)));
    assert!(spoken.is_due(&owner("bob"), second(59)), "another one is");
    assert!(spoken.is_due(&owner("ann"), second(60)));
    assert!(!spoken.is_due(&owner("ann"), second(61)));
    assert!(spoken.is_due(&owner("ann"), second(30)), "a clock that went back silences nobody");
}

#[test]
fn it_remembers_no_more_than_it_may() {
    let spoken = Spoken::default();
    for number in 0..=OWNERS_MAX {
        assert!(spoken.is_due(&owner(&format!("owner {number}")), Timestamp::from_micros(1)));
    }
    assert!(spoken.len() <= OWNERS_MAX);
}
