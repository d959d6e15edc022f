//! `memory duplicates list`: what an owner is shown of facts that seem to say the same.

use super::script::Script;

const MIA: &str = "user:mia";

#[test]
fn what_seems_to_say_the_same_is_listed() {
    let mut script = Script::new();
    let write = |more: &[&str]| {
        let words = ["facts", "write", "--type", "acme.note", "--scope", MIA, "--as", MIA];
        script.quiet(&[&words[..], more].concat()).ok().id()
    };
    let older = write(&["--key", "drink", "--text", "Mia drinks green tea"]);
    write(&["--key", "pet", "--text", "Mia has a cat"]);
    let newer = write(&["--key", "morning", "--text", "drinks green tea: Mia"]);
    write(&["--key", "never", "--text", "Mia never drinks green tea"]);
    write(&["--key", "cup", "--text", "Mia drinks black tea"]);
    script.run(&["duplicates", "list", "--as", MIA]).ok();
    script.run(&["duplicates", "list", "--as", MIA, "--key", "pet"]).ok();
    script.run(&["duplicates", "list", "--as", MIA, "--type", "acme.note", "--scope", MIA, "--json"]).ok();
    script.run(&["duplicates", "list", "--as", "user:bob"]).ok();
    script.run(&["duplicates", "list", "--as", "user:bob", "--json"]).ok();
    script.run(&["duplicates", "list", "--scope", "nonsense"]).exits(2);
    script.run(&["facts", "list", "--as", MIA]).ok();
    insta::assert_snapshot!(script.told());
    let listed = script.quiet(&["duplicates", "list", "--as", MIA]).ok().out;
    assert!(listed.starts_with(&format!("{older}@1")) && listed.contains(&format!("{newer}@1")), "{listed}");
    assert_eq!(listed.lines().count(), 1);
}
