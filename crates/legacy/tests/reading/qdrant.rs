//! Qdrant's local mode, and the SQLite files of others: pickles that are read and never run, locks, damage.

use std::fs::{self, File};
use std::path::Path;

use fact::LegacySource;
use proptest::prelude::*;
use rusqlite::Connection;

use crate::shown::{check_path, items};

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/samples");

/// A folder of one collection with those points.
fn store(points: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let collection = folder.path().join("collection/c");
    fs::create_dir_all(&collection).unwrap();
    fs::write(folder.path().join("meta.json"), "{}").unwrap();
    let database = Connection::open(collection.join("storage.sqlite")).unwrap();
    database.execute_batch("PRAGMA synchronous = OFF").unwrap();
    database.execute("CREATE TABLE points (id TEXT PRIMARY KEY, point BLOB)", []).unwrap();
    for point in points {
        database.execute("INSERT INTO points VALUES (?1, ?2)", *point).unwrap();
    }
    folder
}

#[track_caller]
fn check_point(pickle: &[u8], expected: &str) {
    check_path(LegacySource::QdrantLocal, store(&[("k", pickle)]).path(), expected);
}

fn pickle(name: &str) -> Vec<u8> {
    fs::read(Path::new(SAMPLES).join("pickles").join(name)).unwrap()
}

#[test]
fn every_protocol_from_2_says_the_same() {
    let expected = "c/7 | Mia drinks tea — «há chá» | explicit | tags=drink,morning | project=atlas | confidence=0.5 | malformed=created_at";
    for protocol in 2..=5 {
        check_point(&pickle(&format!("protocol-{protocol}.pickle")), expected);
    }
    for protocol in 0..=1 {
        check_point(
            &pickle(&format!("protocol-{protocol}.pickle")),
            "refused c/k: pickle: has an operation that is not read",
        );
    }
}

#[test]
fn a_pickle_that_would_run_a_command_does_nothing() {
    check_point(&pickle("command.pickle"), "refused c/k: id: must be a number or a UUID");
    check_point(&pickle("command-inside.pickle"), "refused c/7: text: must be a string");
    assert!(!Path::new("pickle-was-run").exists());
}

// Qdrant's ids are numbers of 64 bits without a sign; Python writes the greater half with a ninth byte
#[test]
fn the_greatest_ids_are_ids() {
    for (number, bytes) in [
        (u64::MAX, *b"\xff\xff\xff\xff\xff\xff\xff\xff\x00"),
        (1 << 63, *b"\x00\x00\x00\x00\x00\x00\x00\x80\x00"),
    ] {
        let mut pickle = b"\x80\x04}(\x8c\x02id\x8a\x09".to_vec();
        pickle.extend(bytes);
        pickle.extend(b"\x8c\x07payload}\x8c\x04data\x8c\x03teasu.");
        check_point(&pickle, &format!("c/{number} | tea | unknown"));
    }
}

#[test]
fn pickles_that_are_not_plain_data() {
    let bad = |problem: &str| format!("refused c/k: pickle: {problem}");
    check_point(b"", &bad("ends too early"));
    check_point(b"\x80\x04", &bad("ends too early"));
    check_point(b"\x80\x06N.", &bad("is of a protocol that is not read"));
    check_point(b"\x80\x04.", &bad("takes a value that is not there"));
    check_point(b"\x80\x04N.", &bad("holds no object with fields"));
    check_point(b"\x80\x02Pid\n.", &bad("has an operation that is not read"));
    check_point(b"\x80\x02\x82\x01.", &bad("has an operation that is not read"));
    check_point(b"\x80\x05\x97.", &bad("has an operation that is not read"));
    check_point(b"\x80\x04h\x07.", &bad("recalls what is not there"));
    check_point(b"\x80\x04]Ns.", &bad("takes a value that is not there"));
    check_point(b"\x80\x04}(Nu.", &bad("has a key without a value"));
    check_point(b"\x80\x04N(u.", &bad("sets a key of what is no dictionary"));
    check_point(b"\x80\x04e.", &bad("has no mark"));
    check_point(b"\x80\x04X\xff\xff\xff\x7fa.", &bad("ends too early"));
    check_point(b"\x80\x04\x8c\x01\xff.", &bad("holds text that is not UTF-8"));
    check_point(b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\xff.", &bad("ends too early"));
    check_point(&vec![b'N'; (4 << 20) + 1], &bad("has more than 4194304 bytes"));
    check_point(&vec![b'N'; 500_001], &bad("has more than 500000 values"));
}

/// `{"id": 1, "payload": VALUE}` where what makes VALUE is given.
fn point_of(value: &[u8]) -> Vec<u8> {
    let mut pickle = b"\x80\x04}(\x8c\x02idK\x01\x8c\x07payload".to_vec();
    pickle.extend(value);
    pickle.extend(b"u.");
    pickle
}

#[test]
fn values_within_values_end_somewhere() {
    let deep: Vec<u8> = [vec![b']'; 70], vec![b'a'; 69]].concat();
    check_point(&point_of(&deep), "refused c/k: pickle: is nested deeper than 64 levels");
    // A list that holds the list before it twice, thirty times over.
    let mut wide = b"]q\x000".to_vec();
    (1..=30).for_each(|number| {
        wide.extend([b']', b'q', number, b'(', b'h', number - 1, b'h', number - 1, b'e', b'0'])
    });
    wide.extend([b'h', 30]);
    check_point(&point_of(&wide), "refused c/k: pickle: holds more than 100000 values");
    let itself = b"]q\x00h\x00a";
    check_point(&point_of(itself), "refused c/k: pickle: is nested deeper than 64 levels");
    check_point(&point_of(b"]"), "refused c/1: payload: must be an object");
    check_point(&point_of(b"N"), "refused c/1: text: is not there: expected data, memory, text or content");
}

#[test]
fn of_rows_of_one_id_the_newest_counts() {
    let point = |words: &str, id: &str| {
        let mut pickle = b"\x80\x04}(\x8c\x02id\x8c".to_vec();
        pickle.push(u8::try_from(id.len()).unwrap());
        pickle.extend(id.bytes());
        pickle.extend(b"\x8c\x07payload}\x8c\x04data\x8c");
        pickle.push(u8::try_from(words.len()).unwrap());
        pickle.extend(words.bytes());
        pickle.extend(b"su.");
        pickle
    };
    let old = point("old", "3F0B7A54-8C1D-4C8E-9D7A-111111111111");
    let new = point("new", "3f0b7a548c1d4c8e9d7a111111111111");
    let folder = store(&[("1", &old), ("2", &new)]);
    check_path(
        LegacySource::QdrantLocal,
        folder.path(),
        "c/3f0b7a548c1d4c8e9d7a111111111111 | new | unknown
         skipped c/3F0B7A54-8C1D-4C8E-9D7A-111111111111: a later state of the same memory is there",
    );
}

#[test]
fn a_folder_in_use_is_left_alone() {
    let folder = store(&[]);
    let lock = File::create(folder.path().join(".lock")).unwrap();
    check_path(LegacySource::QdrantLocal, folder.path(), "");
    lock.lock().unwrap();
    let locked = "PATH is in use, or was left in the middle of a write: let its program close it first";
    check_path(LegacySource::QdrantLocal, folder.path(), locked);
    lock.unlock().unwrap();
    check_path(LegacySource::QdrantLocal, folder.path(), "");
    let again = File::open(folder.path().join(".lock")).unwrap();
    assert!(again.try_lock().is_ok(), "the lock was not given back");
}

#[test]
fn a_collection_in_the_middle_of_a_write_stops_all() {
    let folder = store(&[("k", &pickle("protocol-4.pickle"))]);
    let database = Connection::open(folder.path().join("collection/c/storage.sqlite")).unwrap();
    database.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let error = items(LegacySource::QdrantLocal, folder.path()).unwrap_err();
    assert!(matches!(error, legacy::SourceError::Locked { .. }), "{error}");
}

#[test]
fn one_damaged_collection_does_not_stop_the_rest() {
    let folder = store(&[("k", &pickle("protocol-4.pickle"))]);
    let collections = folder.path().join("collection");
    fs::create_dir(collections.join("a")).unwrap();
    fs::create_dir(collections.join("b")).unwrap();
    fs::write(collections.join("b/storage.sqlite"), "no database").unwrap();
    fs::create_dir(collections.join("d")).unwrap();
    Connection::open(collections.join("d/storage.sqlite"))
        .unwrap()
        .execute("CREATE TABLE t (a)", [])
        .unwrap();
    fs::write(collections.join("note"), "").unwrap();
    let shown = items(LegacySource::QdrantLocal, folder.path()).unwrap();
    assert_eq!(shown.len(), 5, "{shown:#?}");
    check_path(
        LegacySource::QdrantLocal,
        folder.path(),
        "refused a: collection: has no storage.sqlite
         refused b: storage.sqlite: cannot be read as a table of points
         c/7 | Mia drinks tea — «há chá» | explicit | tags=drink,morning | project=atlas | confidence=0.5 | malformed=created_at
         refused d: storage.sqlite: cannot be read as a table of points
         skipped note: a file or folder that holds no memories of this program",
    );
}

#[test]
fn folders_of_another_form() {
    let folder = tempfile::tempdir().unwrap();
    let other = "PATH is not of this source: expected a folder with meta.json and collection/NAME/storage.sqlite, each with a table `points` (id, point)";
    check_path(LegacySource::QdrantLocal, folder.path(), other);
    check_path(LegacySource::QdrantLocal, &folder.path().join("nothing"), "PATH cannot be read");
    check_path(LegacySource::Mem0, &folder.path().join("nothing"), "PATH cannot be read");
}

/// A history of mem0 in a file of its own.
fn history(folder: &Path) -> (std::path::PathBuf, Connection) {
    let path = folder.join("history?1#2.db");
    let database = Connection::open(&path).unwrap();
    database
        .execute_batch(
            "CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT,
                                   created_at DATETIME, updated_at DATETIME, is_deleted INTEGER);
             INSERT INTO history VALUES ('1', 'm', NULL, 'tea', 'ADD', '2026-05-01T10:00:00Z', NULL, 0),
                                        ('2', NULL, NULL, 'x', 'ADD', NULL, NULL, 0),
                                        ('3', 'n', NULL, 'y', 'ADD', NULL, 7, 0), ('4', 'n', 'y', NULL, 'DELETE', NULL, NULL, 0),
                                        ('5', 'o', NULL, x'00ff', 'ADD', NULL, NULL, 0),
                                        ('6', 'p', NULL, CAST(x'fffe' AS TEXT), 'ADD', NULL, NULL, 0),
                                        ('7', 'q', NULL, NULL, 'ADD', NULL, NULL, 0);",
        )
        .unwrap();
    (path, database)
}

const HISTORY: &str = "m | tea | extracted | written=2026-05-01T10:00:00.000Z
     refused 2: memory_id: must be a string
     skipped 3: a later state of the same memory is there
     skipped n: it was deleted in its source
     refused o: new_memory: must be text
     refused p: new_memory: is not UTF-8
     refused q: new_memory: is not there";

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_history_is_read_however_it_keeps_its_log() {
    for mode in ["delete", "wal"] {
        let folder = tempfile::tempdir().unwrap();
        let (path, database) = history(folder.path());
        let now: String =
            database.pragma_update_and_check(None, "journal_mode", mode, |row| row.get(0)).unwrap();
        assert_eq!(now, mode);
        drop(database);
        let (before, bytes) = (names(folder.path()), fs::read(&path).unwrap());
        check_path(LegacySource::Mem0, &path, HISTORY);
        assert_eq!((names(folder.path()), fs::read(&path).unwrap()), (before, bytes), "{mode}");
    }
}

#[test]
fn a_history_in_the_middle_of_a_write_is_left_alone() {
    let locked = "PATH is in use, or was left in the middle of a write: let its program close it first";
    let folder = tempfile::tempdir().unwrap();
    let (path, database) = history(folder.path());
    database.execute_batch("BEGIN EXCLUSIVE; DELETE FROM history").unwrap();
    check_path(LegacySource::Mem0, &path, locked);
    database.execute_batch("ROLLBACK").unwrap();
    check_path(LegacySource::Mem0, &path, HISTORY);
    database.pragma_update(None, "journal_mode", "wal").unwrap();
    database.execute_batch("DELETE FROM history").unwrap();
    check_path(LegacySource::Mem0, &path, locked);
}

/// What a program that ended in the middle of a write leaves: a journal that only a writer may play back.
#[test]
fn a_history_left_in_the_middle_of_a_write_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (path, database) = history(folder.path());
    database.execute_batch("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN").unwrap();
    for number in 0..5_000 {
        database
            .execute("INSERT INTO history (id, memory_id) VALUES ('x' || ?1, hex(zeroblob(100)))", [number])
            .unwrap();
    }
    let left = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), left.path().join(entry.file_name())).unwrap();
    }
    let before = names(left.path());
    assert_eq!(before.len(), 2, "{before:?}");
    let locked = "PATH is in use, or was left in the middle of a write: let its program close it first";
    check_path(LegacySource::Mem0, &left.path().join(path.file_name().unwrap()), locked);
    assert_eq!(names(left.path()), before);
}

#[test]
fn another_database_is_of_another_source() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.db");
    Connection::open(&path).unwrap().execute("CREATE TABLE history (a)", []).unwrap();
    let error = items(LegacySource::Mem0, &path).unwrap_err();
    assert!(matches!(error, legacy::SourceError::NotOfThisSource { .. }), "{error}");
    let mut bytes = fs::read(&path).unwrap();
    bytes[4_096..].fill(0x55);
    bytes[100..].fill(0x55);
    fs::write(&path, bytes).unwrap();
    let error = items(LegacySource::Mem0, &path).unwrap_err();
    assert!(matches!(error, legacy::SourceError::Database { .. }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever stands in a pickle or in the file around it, nothing panics, and each row is one item.
    #[test]
    fn no_damage_makes_the_reader_panic(
        protocol in 2..=5_u8,
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 30),
        noise in prop::collection::vec(any::<u8>(), 0..60),
        in_file in any::<prop::sample::Index>(),
    ) {
        let good = pickle(&format!("protocol-{protocol}.pickle"));
        let mut damaged: Vec<Vec<u8>> = vec![noise];
        for (at, byte) in &flips {
            let mut one = good.clone();
            let at = at.index(one.len());
            one[at] = *byte;
            damaged.push(one.clone());
            one.truncate(at);
            damaged.push(one);
        }
        let keys: Vec<String> = (0..damaged.len()).map(|number| number.to_string()).collect();
        let points: Vec<(&str, &[u8])> = keys.iter().map(String::as_str).zip(damaged.iter().map(Vec::as_slice)).collect();
        let folder = store(&points);
        prop_assert_eq!(items(LegacySource::QdrantLocal, folder.path()).unwrap().len(), points.len());
        let path = folder.path().join("collection/c/storage.sqlite");
        let mut bytes = fs::read(&path).unwrap();
        let at = in_file.index(bytes.len());
        bytes[at] ^= 0x55;
        fs::write(&path, bytes).unwrap();
        prop_assert!(!items(LegacySource::QdrantLocal, folder.path()).is_ok_and(|items| items.is_empty()));
    }
}
