//! The text of an id: stable, one line, another for each id.

use proptest::prelude::*;

use super::{ModelId, Prefixes};

fn id(fields: [&str; 5], size: usize) -> ModelId {
    let [provider, model, revision, passage, query] = fields.map(str::to_owned);
    ModelId { provider, model, revision, size, prefixes: Prefixes { passage, query } }
}

#[test]
fn the_text_is_what_rows_already_hold() {
    let local = id(["local", "org/model", "1110a2", "", ""], 384);
    assert_eq!(local.to_string(), "local org/model 1110a2 384 - -");
    let far = id(["openai-compat", "nomic", "http://127.0.0.1:1/v1", "search document: ", "é%\n"], 768);
    assert_eq!(
        far.to_string(),
        "openai-compat nomic http://127.0.0.1:1/v1 768 search%20document:%20 %C3%A9%25%0A"
    );
}

proptest! {
    #[test]
    fn another_id_has_another_text(
        one in prop::array::uniform5("[-a %2D\n]{0,3}"),
        other in prop::array::uniform5("[-a %2D\n]{0,3}"),
    ) {
        let [one, other] = [&one, &other].map(|fields| id(fields.each_ref().map(String::as_str), 3));
        prop_assert_eq!(one == other, one.to_string() == other.to_string());
        prop_assert_eq!(one.to_string().split(' ').count(), 6);
    }
}
