//! The engine's defaults: kept, shown, and the operator's alone.

use super::script::Script;

#[test]
fn settings_are_kept_and_shown() {
    let mut script = Script::new();
    script.run(&["settings", "list"]).exits(1);
    script.run(&["settings", "set", "model", "small-1", "--channel", "web", "--agent", "desk"]).ok();
    script.run(&["settings", "set", "model:extraction", "tiny"]).ok();
    script.run(&["settings", "set", "model", "large-2", "--channel", "web", "--agent", "desk"]).ok();
    script.run(&["settings", "list"]).ok();
    script.run(&["settings", "list", "--json"]).ok();
    script.run(&["settings", "list", "--tenant", "acme"]).ok();
    script.run(&["settings", "set", "model", ""]).exits(2);
    script.run(&["settings", "set", "mo\u{7}del", "x"]).exits(2);
    script.run(&["settings", "set", "model", "x", "--as", "user:ann"]).exits(4);
    insta::assert_snapshot!(script.told());
}
