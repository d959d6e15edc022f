//! What stands around a text, from where it is kept and where it comes from.

use fact::{Id, Provenance, Scope};

use super::{Around, Spot};

fn id(id: &str) -> Id {
    Id::parse("id", id).unwrap()
}

fn conversation(path: &str, thread: Option<&str>, run: Option<&str>) -> Option<String> {
    let scope = Scope::parse_path("scope", &id("local"), path).unwrap();
    let provenance = Provenance { thread: thread.map(id), run: run.map(id), ..Provenance::default() };
    Around::of(&scope, &provenance).conversation.map(|id| id.to_string())
}

#[test]
fn a_conversation_is_the_scopes_else_the_provenances_else_the_run() {
    assert_eq!(conversation("user:ann/thread:a", Some("b"), Some("c")).as_deref(), Some("a"));
    assert_eq!(conversation("user:ann", Some("b"), Some("c")).as_deref(), Some("b"));
    assert_eq!(conversation("user:ann", None, Some("c")).as_deref(), Some("c"));
    assert_eq!(conversation("user:ann", None, None), None);
}

#[test]
fn a_turn_has_neighbours_and_a_message_has_none() {
    let turn = Spot::of(Some(1), Some(4), Some(9)).unwrap();
    assert_eq!(turn.beside(), [Some(Spot::Turn(1, 3)), Some(Spot::Turn(1, 5))]);
    assert_eq!(Spot::of(Some(1), None, Some(9)).map(Spot::beside), Some([None, None]));
    assert_eq!(Spot::of(None, Some(4), None), None);
    assert_eq!(Spot::of(Some(1), None, None), None);
}

#[test]
fn what_was_stored_comes_back_or_is_named() {
    let stored = |sequence| (Some("a".to_owned()), Some(sequence), None, Some("ann".to_owned()));
    let around =
        Around { conversation: Some(id("a")), sequence: Some(4), message: None, speaker: Some(id("ann")) };
    assert_eq!(Around::parse(stored(4)), Ok(around));
    assert!(Around::parse(stored(-1)).unwrap_err().to_string().contains("entries.sequence"));
}
