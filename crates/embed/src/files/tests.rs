//! Where files are searched, and what is said of bad ones. Their digests are checked in `tests/`, with the real ones.

use std::fs;
use std::path::{Path, PathBuf};

use super::{FILES, ModelFiles};
use crate::BadModel;

fn fill(folder: &Path, names: &[&str]) {
    fs::create_dir_all(folder).unwrap();
    for name in names {
        fs::write(folder.join(name), name).unwrap();
    }
}

#[test]
fn the_first_whole_folder_is_taken() {
    let root = tempfile::tempdir().unwrap();
    let folders: Vec<PathBuf> = ["none", "part", "whole", "later"].map(|name| root.path().join(name)).into();
    let names = FILES.map(|file| file.name);
    fill(&folders[1], &names[..2]);
    let missing = ModelFiles::find(&folders[..2]).unwrap_err().to_string();
    assert!(missing.contains("model.safetensors") && missing.contains("part"), "{missing}");
    fill(&folders[2], &names);
    fill(&folders[3], &names);
    assert_eq!(ModelFiles::find(&folders).unwrap().folder(), folders[2]);
}

#[test]
fn a_bad_file_is_named_with_both_digests() {
    let root = tempfile::tempdir().unwrap();
    fill(root.path(), &FILES.map(|file| file.name));
    let files = ModelFiles::find(&[root.path().to_owned()]).unwrap();
    let Err(BadModel::Digest { file, expected, found }) = files.check() else { panic!("nothing is bad") };
    assert!(file.ends_with("config.json"));
    assert_eq!(expected, FILES[0].digest);
    assert_eq!(found, "587cb980af76fdc7e52369fd0b9d926dff266976b6f8ac631e358fecc49ff8cf");
}

#[test]
fn the_usual_places_are_those_of_other_programs() {
    let cache = ModelFiles::in_hub_cache(Path::new("hub"));
    let snapshot = "snapshots/1110a243fdf4706b3f48f1d95db1a4f5529b4d41";
    assert_eq!(cache, Path::new("hub/models--sentence-transformers--all-MiniLM-L6-v2").join(snapshot));
    assert_eq!(ModelFiles::in_data_folder(Path::new("data")), Path::new("data/models/all-MiniLM-L6-v2"));
}
