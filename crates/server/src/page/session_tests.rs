//! Sessions are bounded, and none is known by what names it in the table.

use super::session::{SESSIONS_MAX, Sessions};

#[test]
fn the_session_that_was_used_least_lately_goes_first() {
    let sessions = Sessions::default();
    let begin = |number: usize| sessions.begin(format!("key {number}")).unwrap();
    let (first, second) = (begin(0), begin(1));
    for number in 2..SESSIONS_MAX {
        begin(number);
    }
    assert_eq!(sessions.token(Sessions::id_of(&first)), Some("key 0".to_owned()), "it is used");
    let last = begin(SESSIONS_MAX);
    assert_eq!(sessions.token(Sessions::id_of(&second)), None);
    for (secret, key) in [(&first, "key 0".to_owned()), (&last, format!("key {SESSIONS_MAX}"))] {
        assert_eq!(sessions.token(Sessions::id_of(secret)), Some(key));
    }
    assert_eq!((first.len(), first == last), (64, false), "256 random bits");
}
