//! What belongs to one machine or one network has no place in the tree.

use super::tree;

/// Where packages are fetched from is a setting of the machine.
const REGISTRY_HOSTS: [&str; 8] = [
    concat!("crates", ".io"),
    concat!("pypi", ".org"),
    concat!("python", "hosted.org"),
    concat!("npm", "js.org"),
    concat!("npm", "js.com"),
    concat!("proxy.go", "lang.org"),
    concat!("ruby", "gems.org"),
    concat!("deb.deb", "ian.org"),
];

const MACHINE_PATHS: [&str; 2] = [concat!("/", "work/"), concat!("/", "root/")];

const OUTSIDE: &str = concat!("../", "shared");

#[test]
fn nothing_names_a_machine_or_a_registry() {
    let mut findings = Vec::new();
    for file in tree::files().iter().filter(|file| file.path != "Cargo.lock") {
        for (index, line) in file.text.lines().enumerate() {
            if is_strange(line) {
                findings.push(format!("{}: {}", file.at(index + 1), line.trim()));
            }
        }
    }
    tree::none("a host of packages or a path of one machine", &findings);
}

fn is_strange(line: &str) -> bool {
    line.contains(OUTSIDE)
        || REGISTRY_HOSTS.iter().any(|host| line.contains(host))
        || MACHINE_PATHS.iter().any(|path| starts_a_path(line, path))
}

/// Whether the piece stands at the start of a path, not inside a relative one.
fn starts_a_path(line: &str, piece: &str) -> bool {
    line.match_indices(piece).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        !before.is_some_and(|character| character.is_alphanumeric() || "._-*}".contains(character))
    })
}

#[test]
fn a_relative_path_is_no_stranger() {
    for path in MACHINE_PATHS {
        assert!(is_strange(&format!("cd {path}x")) && is_strange(&format!("\"{path}x\"")));
        assert!(!is_strange(&format!("docs{path}x")) && !is_strange(&format!("${{TMP}}{path}x")));
    }
    assert!(is_strange(OUTSIDE) && REGISTRY_HOSTS.iter().all(|host| is_strange(host)));
}
