//! Where the memory is when nobody says, and what is said when there is none.

use super::script::{Ran, Script};

#[cfg(target_os = "linux")]
#[test]
fn the_data_folder_is_made_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let script = Script::new();
    let write = |folder: Option<&str>| {
        let mut command = script.command(&["facts", "write", "--type", "acme.note", "--text", "one"]);
        command.env_remove("MEMORY_DB");
        command.envs(folder.map(|folder| ("XDG_DATA_HOME", folder)));
        Ran::of(command.output().unwrap()).ok();
    };
    let named = script.folder().join("data");
    write(None);
    write(named.to_str());
    write(Some("relative"));
    for folder in [script.folder().join(".local/share/truthkeeper"), named.join("truthkeeper")] {
        assert!(folder.join("memory.db").is_file());
        assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    }
    assert!(!script.folder().join("relative").exists());
}

#[test]
fn reading_where_there_is_nothing_says_so_and_makes_nothing() {
    let script = Script::new();
    for verb in [
        &["facts", "list"][..],
        &["facts", "export"],
        &["recall", "tea"],
        &["conflicts", "list"],
        &["forgotten", "list"],
        &["review", "list"],
        &["ledger", "check"],
        &["ledger", "rebuild", "--yes"],
        &["ledger", "dump", "-"],
        &["facts", "delete", "01981f6e-6a1c-7c3e-8f0a-0123456789ab"],
    ] {
        let ran = script.quiet(verb).exits(1).says("error: db: there is no memory at ").says("memory.db");
        assert!(ran.out.is_empty());
        assert_eq!(script.quiet(&[verb, &["--json"]].concat()).exits(1).error()["code"], "no-store");
    }
    assert_eq!(std::fs::read_dir(script.folder()).unwrap().count(), 0);
}

#[test]
fn db_names_another_store() {
    let script = Script::new();
    script.quiet(&["facts", "write", "--type", "acme.note", "--text", "one", "--db", "other #1?.db"]).ok();
    assert!(script.folder().join("other #1?.db").is_file());
    assert!(!script.folder().join("memory.db").exists());
    assert!(script.quiet(&["--db", "other #1?.db", "facts", "list"]).ok().out.contains("one"));
}

#[test]
fn tenants_do_not_see_each_other() {
    let script = Script::new();
    let fact = script.quiet(&["facts", "write", "--type", "acme.note", "--text", "one"]).ok().id();
    script.quiet(&["facts", "get", &fact, "--tenant", "other"]).exits(3);
    assert!(script.quiet(&["facts", "list", "--tenant", "other"]).ok().out.is_empty());
}
