//! Waits grow, differ and end.

use fact::{FactId, Timestamp};

use super::{SECOND, Settings};

fn fact(last: u8) -> FactId {
    FactId::parse(&format!("01981f6e-6a1c-7c3e-8f0a-0123456789{last:02x}")).unwrap()
}

fn wait(attempts: u32, last: u8) -> Option<i64> {
    let now = Timestamp::from_micros(0);
    Settings::default().next_attempt(fact(last), attempts, now).map(Timestamp::micros)
}

#[test]
fn three_attempts_outlast_an_outage_of_a_second() {
    assert!(wait(1, 0) >= Some(SECOND));
    assert!(wait(2, 0) >= Some(4 * SECOND));
    assert_eq!(wait(3, 0), None);
}

#[test]
fn what_failed_together_does_not_come_back_together() {
    let waits: std::collections::BTreeSet<_> = (0..=255).map(|last| wait(2, last)).collect();
    assert_eq!(waits.len(), 256);
    assert_eq!(waits.last(), Some(&Some(8 * SECOND)));
}

#[test]
fn pauses_grow_up_to_the_longest() {
    let settings = Settings::default();
    let pause = |pauses| settings.pause_end(pauses, Timestamp::from_micros(0)).micros() / SECOND;
    assert_eq!([1, 2, 3, 4, 7, 8, 60, u32::MAX].map(pause), [1, 2, 4, 8, 60, 60, 60, 60]);
}
