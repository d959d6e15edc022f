//! The help: what there is, and what the exit codes mean.

use clap::ValueEnum as _;
use truthkeeper_cli::Exit;

use super::script::Script;

#[test]
fn the_long_help_lists_the_exit_codes() {
    let help = Script::new().quiet(&["--help"]).ok().out;
    for exit in Exit::value_variants() {
        assert!(help.lines().any(|line| line.trim().starts_with(&format!("{} ", exit.number()))), "{exit:?}");
    }
    insta::assert_snapshot!(help);
}

#[test]
fn every_verb_explains_itself() {
    let mut all = String::new();
    for verb in verbs() {
        let words: Vec<&str> = verb.iter().map(String::as_str).chain(["--help"]).collect();
        let help = Script::new().quiet(&words).ok().out;
        let about = help.lines().next().unwrap();
        all.push_str(&format!("memory {:<18} {about}\n", verb.join(" ")));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn no_command_is_a_usage_error() {
    Script::new().quiet(&[]).exits(2).says("Usage: memory");
    let ran = Script::new().quiet(&["facts", "frobnicate", "--json"]).exits(2);
    assert_eq!(ran.error()["code"], "usage");
    assert!(ran.out.is_empty());
}

/// The paths of all verbs, from clap's own tree.
pub(crate) fn verbs() -> Vec<Vec<String>> {
    let mut all = Vec::new();
    gather(&truthkeeper_cli::command(), &mut Vec::new(), &mut all);
    all
}

fn gather(command: &clap::Command, above: &mut Vec<String>, all: &mut Vec<Vec<String>>) {
    for below in command.get_subcommands() {
        above.push(below.get_name().to_owned());
        if below.has_subcommands() {
            gather(below, above, all);
        } else {
            all.push(above.clone());
        }
        above.pop();
    }
}

#[test]
fn the_demo_tells_its_story() {
    let mut script = Script::new();
    let ran = script.run(&["demo"]).ok();
    assert!(ran.out.lines().count() < 100, "{}", ran.out.lines().count());
    let day = |text: &str| -> String {
        let (before, after) = text.split_once("--valid-from ").unwrap();
        assert!(before.contains("begins next month"));
        after[..20].to_owned()
    };
    let then = day(&ran.out);
    insta::assert_snapshot!(script.told().replace(&then, "[then]"));
}
