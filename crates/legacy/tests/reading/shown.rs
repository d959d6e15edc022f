//! Rows as lines, to be compared.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use fact::{Legacy, LegacySource};
use legacy::{Item, SourceError};

/// Every row of a source.
pub(crate) fn items(source: LegacySource, path: &Path) -> Result<Vec<Item>, SourceError> {
    let mut items = Vec::new();
    legacy::read(source, path, &mut |item| {
        items.push(item);
        ControlFlow::Continue(())
    })?;
    Ok(items)
}

/// Compares what comes out of a file of that name and content, one line a row.
#[track_caller]
pub(crate) fn check(source: LegacySource, name: &str, content: &[u8], expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), content).unwrap();
    check_path(source, &folder.path().join(name), expected);
}

/// Compares what comes out of a folder with those files.
#[track_caller]
pub(crate) fn check_folder(source: LegacySource, files: &[(&str, &[u8])], expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    check_path(source, folder.path(), expected);
}

#[track_caller]
pub(crate) fn check_path(source: LegacySource, path: &Path, expected: &str) {
    let shown = match items(source, path) {
        Ok(items) => items.iter().map(shown).collect::<Vec<_>>().join("\n"),
        Err(error) => error.to_string().replace(&path.display().to_string(), "PATH"),
    };
    let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    let expected = expected.join("\n");
    assert!(shown == expected, "came out:\n{shown}\n\nexpected:\n{expected}\n");
}

fn shown(item: &Item) -> String {
    match item {
        Item::Row(row) => row_shown(row),
        Item::Skipped { place, why } => format!("skipped {}: {why}", place.as_str()),
        Item::Refused { place, why } => format!("refused {}: {why}", place.as_str()),
    }
}

/// `place | words | what else is there`.
fn row_shown(row: &Legacy) -> String {
    let Legacy { source: _, place, text, kind, key, tags, origin, owner, project, .. } = row;
    let Legacy { confidence, written_at, valid_from, valid_until, malformed, .. } = row;
    let list = |list: &[fact::Text]| list.iter().map(fact::Text::as_str).collect::<Vec<_>>().join(",");
    let mut shown =
        vec![place.as_str().to_owned(), text.as_str().replace('\n', "\\n"), origin.name().to_owned()];
    let mut add = |name: &str, value: Option<String>| {
        shown.extend(value.filter(|value| !value.is_empty()).map(|value| format!("{name}={value}")));
    };
    add("kind", kind.as_ref().map(ToString::to_string));
    add("key", key.as_ref().map(|key| key.as_str().to_owned()));
    add("tags", Some(list(tags)));
    add("owner", owner.as_ref().map(|owner| owner.as_str().to_owned()));
    add("project", project.as_ref().map(|project| project.as_str().to_owned()));
    add("confidence", confidence.map(|confidence| confidence.to_string()));
    add("written", written_at.map(|time| time.to_string()));
    add("from", valid_from.map(|time| time.to_string()));
    add("until", valid_until.map(|time| time.to_string()));
    add("malformed", Some(list(malformed)));
    shown.join(" | ")
}
