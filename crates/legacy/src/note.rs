//! Notes: Markdown files, one fact in each or many, alone or in a folder.

use std::collections::BTreeSet;
use std::path::Path;

use fact::{BadInput, Legacy, LegacyOrigin, Text, is_blank, limits};
use serde_json::{Map, Value};

use crate::fields::{self, Names};
use crate::front;
use crate::out::{Out, Walk};
use crate::split::{self, Piece, What};
use crate::text_file::{self, Opened, TextFile};
use crate::tree::{self, Entry, Kind};
use crate::{Skip, SourceError, place};

mod pointer;

/// The names of a head's fields.
pub(crate) const NAMES: Names = Names {
    kind: &["type", "category"],
    key: &["key", "name"],
    tags: &["tags", "keywords"],
    origin: &["origin"],
    owner: &["owner", "user", "user_id"],
    project: &["project", "workspace"],
    confidence: &["confidence"],
    written_at: &["updated_at", "updated", "modified", "last_updated", "created_at", "created", "date"],
    valid_from: &["valid_from", "validFrom"],
    valid_until: &["valid_until", "validUntil", "expires_at", "expires", "expiration_date"],
};

/// What says the most of a note in one line, for one that has no body.
const SUMMARIES: [&str; 3] = ["description", "summary", "title"];

/// Other names by which a head is known.
const UNREAD: [&str; 8] = ["aliases", "applyTo", "globs", "id", "metadata", "paths", "scope", "status"];

/// How a file is read.
pub(crate) struct Manner {
    pub(crate) origin: LegacyOrigin,
    /// Whether it holds many facts even with a head.
    pub(crate) is_collection: bool,
    /// The project that its path tells.
    pub(crate) project: Option<String>,
    /// Which words, under which headings, are no memory of this program.
    pub(crate) aside: fn(&[String], &str) -> Option<Skip>,
}

impl Manner {
    pub(crate) fn new(origin: LegacyOrigin, is_collection: bool) -> Self {
        Self { origin, is_collection, project: None, aside: |_, _| None }
    }
}

/// A kind of folder.
pub(crate) struct Folder {
    /// What it would hold, for the refusal of one that does not.
    pub(crate) expected: &'static str,
    /// Which folders below it are entered, by name.
    pub(crate) enters: fn(&str) -> bool,
    /// How a file is read, by its path below the folder; nothing for one that holds no memories.
    pub(crate) manner: fn(&str) -> Option<Manner>,
}

/// Reads one file or a folder of them.
pub(crate) fn read(path: &Path, folder: &Folder, out: &mut Out<'_>) -> Walk {
    if path.is_dir() {
        return read_folder(path, folder, out);
    }
    let name = path.file_name().map(|name| place::relative(Path::new(name))).unwrap_or_default();
    let named = (folder.manner)(&name);
    if named.is_none() && !is_text(path) {
        return Err(SourceError::other(path, folder.expected).into());
    }
    let manner = named.unwrap_or_else(|| Manner::new(LegacyOrigin::Explicit, true));
    match text_file::read(path)? {
        Opened::Text(text) => give(&name, &text, &manner, &|_| false, out),
        Opened::Not(_) => Err(SourceError::other(path, folder.expected).into()),
    }
}

/// Whether a file that somebody points at may be one of Markdown, by its name.
fn is_text(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    ending.is_none_or(|ending| matches!(ending.as_str(), "md" | "markdown" | "txt"))
}

fn read_folder(root: &Path, folder: &Folder, out: &mut Out<'_>) -> Walk {
    let entries = tree::list(root, &folder.enters)?;
    let is_file = |entry: &&Entry| entry.kind == Kind::File;
    let names: BTreeSet<String> =
        entries.iter().filter(is_file).map(|entry| place::relative(&entry.relative)).collect();
    if !names.iter().any(|name| (folder.manner)(name).is_some()) {
        return Err(SourceError::other(root, folder.expected).into());
    }
    for entry in &entries {
        let name = place::relative(&entry.relative);
        let at = place::place(&name);
        match entry.kind {
            Kind::File => match (folder.manner)(&name) {
                Some(manner) => read_file(&root.join(&entry.relative), &name, &manner, &names, out)?,
                None => out.skip(at, Skip::OtherFile)?,
            },
            Kind::SymbolicLink => out.skip(at, Skip::SymbolicLink)?,
            Kind::ClosedFolder | Kind::Special => out.skip(at, Skip::OtherFile)?,
            Kind::Unreadable => out.refuse(at, BadInput::new("folder", "cannot be read"))?,
            Kind::TooDeep => out.refuse(at, BadInput::new("folder", "is below too many others"))?,
        }
    }
    Ok(())
}

/// A file that cannot be read is refused, and the next ones go on.
fn read_file(path: &Path, name: &str, manner: &Manner, names: &BTreeSet<String>, out: &mut Out<'_>) -> Walk {
    let refused = |why: &'static str| BadInput::new("file", why);
    match text_file::read(path) {
        Ok(Opened::Text(text)) => {
            let has_file = |target: &str| pointer::is_there(names, name, target);
            give(name, &text, manner, &has_file, out)
        }
        Ok(Opened::Not(skip)) => out.skip(place::place(name), skip),
        Err(SourceError::TooLarge { .. }) => out.refuse(place::place(name), refused("is too large")),
        Err(
            SourceError::Unreadable { .. }
            | SourceError::Database { .. }
            | SourceError::NotOfThisSource { .. }
            | SourceError::Locked { .. },
        ) => out.refuse(place::place(name), refused("cannot be read")),
    }
}

/// Gives the rows of one text. `has_file` tells whether the folder has a note of that name.
pub(crate) fn give(
    name: &str,
    file: &TextFile,
    manner: &Manner,
    has_file: &dyn Fn(&str) -> bool,
    out: &mut Out<'_>,
) -> Walk {
    if is_blank(&file.text) {
        return out.skip(place::place(name), Skip::Blank);
    }
    let (head, body, first_line) = match front::parted(&file.text).filter(|note| is_head(&note.head)) {
        Some(note) => (Some(note.head), note.body, note.first_line),
        None => (None, file.text.as_str(), 1),
    };
    match head {
        Some(head) if !manner.is_collection && body.chars().count() <= limits::CONTENT_CHARS_MAX => {
            give_whole(name, &head, body, file, manner, out)
        }
        head => {
            let pieces = split::split(body, first_line);
            if pieces.is_empty() {
                return out.skip(place::place(name), Skip::Blank);
            }
            let head = head.unwrap_or_default();
            pieces.iter().try_for_each(|piece| give_piece(name, &head, piece, file, manner, has_file, out))
        }
    }
}

/// Words between two rules may look like fields. Those of a head have names that mean something here.
fn is_head(head: &Map<String, Value>) -> bool {
    let Names { kind, key, tags, origin, owner, project, confidence, written_at, valid_from, valid_until } =
        NAMES;
    let read = [kind, key, tags, origin, owner, project, confidence, written_at, valid_from, valid_until];
    let is_known = |name: &str| {
        read.iter().any(|names| names.contains(&name)) || SUMMARIES.contains(&name) || UNREAD.contains(&name)
    };
    head.keys().any(|name| is_known(name))
}

/// One fact in a file: its body, or its summary where it has none.
fn give_whole(
    name: &str,
    head: &Map<String, Value>,
    body: &str,
    file: &TextFile,
    manner: &Manner,
    out: &mut Out<'_>,
) -> Walk {
    let at = place::place(name);
    let summary = SUMMARIES.iter().find_map(|name| fields::find(head, name)?.as_str());
    let words = Some(body).filter(|body| !is_blank(body)).or(summary);
    let Some(words) = words else {
        return out.skip(at, Skip::Blank);
    };
    let row = row(at.clone(), words, file, manner, out).map(|mut row| {
        fields::fill(&mut row, head, &NAMES);
        settle(&mut row, manner);
        row
    });
    out.row(at, row)
}

fn give_piece(
    name: &str,
    head: &Map<String, Value>,
    piece: &Piece,
    file: &TextFile,
    manner: &Manner,
    has_file: &dyn Fn(&str) -> bool,
    out: &mut Out<'_>,
) -> Walk {
    let at = place::in_file(name, &piece.headings, piece.line);
    let words = match &piece.what {
        What::Words(words) => words,
        What::Blank => return out.skip(at, Skip::Blank),
        What::Heading => return out.skip(at, Skip::Heading),
        What::Comment => return out.skip(at, Skip::Markup),
    };
    if words.lines().all(|line| pointer::is_pointer(split::marker(line).unwrap_or(line), has_file)) {
        let mut lines = (piece.line..).zip(words.lines());
        return lines
            .try_for_each(|(line, _)| out.skip(place::in_file(name, &piece.headings, line), Skip::Index));
    }
    if let Some(skip) = (manner.aside)(&piece.headings, words) {
        return out.skip(at, skip);
    }
    let row = row(at.clone(), words, file, manner, out).map(|mut row| {
        fields::fill(&mut row, head, &NAMES);
        // A key is one fact's, and this file has many.
        row.key = None;
        piece.headings.iter().for_each(|heading| fields::add_tag(&mut row, "heading", heading));
        settle(&mut row, manner);
        row
    });
    out.row(at, row)
}

fn row(at: Text, words: &str, file: &TextFile, manner: &Manner, out: &Out<'_>) -> Result<Legacy, BadInput> {
    if file.is_damaged(words) {
        return Err(BadInput::new("text", "is not UTF-8"));
    }
    fields::row(out.source, manner.origin, at, words)
}

/// A workspace by the name of `global` is none.
fn settle(row: &mut Legacy, manner: &Manner) {
    row.project = row.project.take().filter(|project| project.as_str() != "global");
    if let Some(project) = manner.project.as_ref().filter(|_| row.project.is_none()) {
        match Text::parse_name("project", project, limits::ID_CHARS_MAX) {
            Ok(project) => row.project = Some(project),
            Err(_) => fields::malformed(row, "project"),
        }
    }
}
