//! Every statement is used, so that none outlives its function.

use std::path::{Path, PathBuf};

#[test]
fn every_sql_file_is_included_by_some_source_file() {
    let files = files_under(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")));
    let sources: Vec<_> = files
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .map(|path| (path.parent().unwrap(), std::fs::read_to_string(path).unwrap()))
        .collect();
    let statements = files.iter().filter(|path| path.extension().is_some_and(|end| end == "sql"));
    let unused: Vec<_> = statements
        .filter(|path| !sources.iter().any(|(folder, source)| includes(folder, source, path)))
        .collect();
    assert!(unused.is_empty(), "not included anywhere: {unused:?}");
}

fn includes(folder: &Path, source: &str, statement: &Path) -> bool {
    let marks = source.split("include_str!(\"").skip(1);
    marks
        .filter_map(|rest| rest.split('"').next())
        .any(|name| folder.join(name).canonicalize().unwrap() == statement.canonicalize().unwrap())
}

fn files_under(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_under(&path));
        } else {
            files.push(path);
        }
    }
    files
}
