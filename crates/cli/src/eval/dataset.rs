//! A data set: documents and questions of several owners, from two files of one JSON object a line.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use truthkeeper::{BadInput, Id, Provenance, Text, limits};

use super::error::EvalError;

/// Whose documents are searched together, and by nobody else.
#[derive(Debug)]
pub(super) struct Owner {
    /// The owner's id.
    pub(super) id: Id,
    /// In the order of the file.
    pub(super) documents: Vec<Document>,
    /// In the order of the file.
    pub(super) questions: Vec<Question>,
}

/// A document by its place among its owner's, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct DocumentNumber(pub(super) usize);

/// What should be found.
#[derive(Debug)]
pub(super) struct Document {
    /// The line of the file, from 1.
    pub(super) line: usize,
    /// Its time, where it has one, and its words.
    pub(super) text: Text,
    /// Its conversation, its place there, and who spoke.
    pub(super) provenance: Provenance,
    /// Earlier documents that it takes the place of.
    pub(super) supersedes: BTreeSet<DocumentNumber>,
}

/// What is asked.
#[derive(Debug)]
pub(super) struct Question {
    /// The kind of question.
    pub(super) category: String,
    /// Its words.
    pub(super) text: Text,
    /// What should be found; a question without is not asked.
    pub(super) gold: BTreeSet<DocumentNumber>,
    /// The versions of what is asked for, where the data set tells them apart.
    pub(super) versions: Option<Versions>,
}

/// An earlier statement and the one that made it stale, with no document in both.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Versions {
    /// What was said first.
    pub(super) original: BTreeSet<DocumentNumber>,
    /// What holds since.
    pub(super) updated: BTreeSet<DocumentNumber>,
}

/// Reads both files.
pub(super) fn read(documents: &Path, questions: &Path) -> Result<Vec<Owner>, EvalError> {
    let mut reading = Reading::default();
    each_line(documents, |line, members| reading.add_document(line, members))?;
    each_line(questions, |_, members| reading.add_question(members))?;
    Ok(reading.owners)
}

/// The owners so far, with the numbers that their documents' ids stand for.
#[derive(Default)]
struct Reading {
    owners: Vec<Owner>,
    places: HashMap<String, usize>,
    numbers: Vec<HashMap<String, DocumentNumber>>,
}

impl Reading {
    fn add_document(&mut self, line: usize, mut members: Members) -> Result<(), BadInput> {
        let owner = self.owner_named(&members.need::<String>("owner", "a string")?)?;
        let id: String = members.need("id", "a string")?;
        let words: String = members.need("text", "a string")?;
        let time: Option<String> = members.take("time", "a string")?;
        let text = time.map_or_else(|| words.clone(), |time| format!("{time} {words}"));
        Text::parse("text", &words, usize::MAX)?;
        let document = Document {
            line,
            text: Text::parse("time", &text, usize::MAX)?,
            supersedes: members.take::<Ids>("supersedes", "an id or a list of ids")?.map_or_else(
                || Ok(BTreeSet::new()),
                |ids| self.numbers("supersedes", owner, &ids.into_list()),
            )?,
            provenance: Provenance {
                thread: members.id("thread")?,
                sequence: members.take("seq", "a whole number from 0 to 4294967295")?,
                speaker: members.id("speaker")?,
                ..Provenance::default()
            },
        };
        members.end()?;
        let number = DocumentNumber(self.owners[owner].documents.len());
        if self.numbers[owner].insert(id, number).is_some() {
            return Err(BadInput::new("id", "was used by another document of this owner"));
        }
        self.owners[owner].documents.push(document);
        Ok(())
    }

    fn add_question(&mut self, mut members: Members) -> Result<(), BadInput> {
        let owner: String = members.need("owner", "a string")?;
        let no_owner = || BadInput::new("owner", "has no documents");
        let owner = self.places.get(&owner).copied().ok_or_else(no_owner)?;
        let id: String = members.need("id", "a string")?;
        let gold: Vec<String> = members.need("gold", "a list of ids")?;
        let versions: Option<RawVersions> =
            members.take("versions", "an object of lists of ids, such as original_info and updated_info")?;
        let question = Question {
            category: members.need("category", "a string")?,
            text: question(&id, &members.need::<String>("query", "a string")?)?,
            gold: self.numbers("gold", owner, &gold)?,
            versions: versions.map_or(Ok(None), |versions| self.versions(owner, &versions))?,
        };
        members.end()?;
        self.owners[owner].questions.push(question);
        Ok(())
    }

    /// The place of an owner, made if it is new.
    fn owner_named(&mut self, id: &str) -> Result<usize, BadInput> {
        if let Some(place) = self.places.get(id) {
            return Ok(*place);
        }
        let place = self.owners.len();
        let owner = Owner { id: Id::parse("owner", id)?, documents: Vec::new(), questions: Vec::new() };
        self.owners.push(owner);
        self.numbers.push(HashMap::new());
        self.places.insert(id.to_owned(), place);
        Ok(place)
    }

    /// The documents of an owner that `ids` name; each must stand before this line.
    fn numbers(
        &self,
        field: &'static str,
        owner: usize,
        ids: &[String],
    ) -> Result<BTreeSet<DocumentNumber>, BadInput> {
        let number = |id: &String| self.numbers[owner].get(id).copied();
        let numbers: Option<_> = ids.iter().map(number).collect();
        numbers.ok_or_else(|| BadInput::new(field, "names a document that this owner does not have by then"))
    }

    fn versions(&self, owner: usize, raw: &RawVersions) -> Result<Option<Versions>, BadInput> {
        let updated = self.numbers("versions", owner, &raw.updated_info)?;
        let original: BTreeSet<_> = &self.numbers("versions", owner, &raw.original_info)? - &updated;
        Ok((!original.is_empty() && !updated.is_empty()).then_some(Versions { original, updated }))
    }
}

/// What `versions` says of an update. What contradicts without being older is not stale, and not looked at.
#[derive(Deserialize)]
struct RawVersions {
    #[serde(default)]
    original_info: Vec<String>,
    #[serde(default)]
    updated_info: Vec<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Ids {
    One(String),
    Many(Vec<String>),
}

impl Ids {
    fn into_list(self) -> Vec<String> {
        match self {
            Self::One(id) => vec![id],
            Self::Many(ids) => ids,
        }
    }
}

fn question(id: &str, text: &str) -> Result<Text, BadInput> {
    let named = |bad: BadInput| BadInput::new("query", format!("of {id:?}: {}", bad.problem));
    Text::parse("query", text, limits::QUERY_CHARS_MAX).map_err(named)
}

/// The members of one line that nobody has looked at yet.
struct Members(Map<String, Value>);

impl Members {
    fn parse(line: &str) -> Result<Self, BadInput> {
        serde_json::from_str(line).map(Self).map_err(|_| BadInput::new("line", "is not a JSON object"))
    }

    fn need<T: DeserializeOwned>(&mut self, field: &'static str, wanted: &str) -> Result<T, BadInput> {
        self.take(field, wanted)?.ok_or_else(|| BadInput::new(field, "is missing"))
    }

    fn take<T: DeserializeOwned>(
        &mut self,
        field: &'static str,
        wanted: &str,
    ) -> Result<Option<T>, BadInput> {
        let value = self.0.remove(field).unwrap_or_default();
        serde_json::from_value(value).map_err(|_| BadInput::new(field, format!("must be {wanted}")))
    }

    fn id(&mut self, field: &'static str) -> Result<Option<Id>, BadInput> {
        self.take::<String>(field, "a string")?.map(|id| Id::parse(field, &id)).transpose()
    }

    /// A field that nothing reads is a mistake in its name.
    fn end(self) -> Result<(), BadInput> {
        let unknown = self.0.keys().next();
        unknown.map_or(Ok(()), |name| Err(BadInput::new(name.clone(), "is not a field of a data set")))
    }
}

fn each_line(
    path: &Path,
    mut take: impl FnMut(usize, Members) -> Result<(), BadInput>,
) -> Result<(), EvalError> {
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    for (number, line) in (1..).zip(BufReader::new(file).lines()) {
        let line = match line {
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                Err(BadInput::new("line", "is not UTF-8"))
            }
            Err(error) => return Err(unreadable(path, error)),
            Ok(line) => Ok(line),
        };
        let taken = line.and_then(|line| match line.trim() {
            "" => Ok(()),
            line => take(number, Members::parse(line)?),
        });
        taken.map_err(|bad| EvalError::BadLine { path: path.to_owned(), line: number, bad })?;
    }
    Ok(())
}

fn unreadable(path: &Path, error: io::Error) -> EvalError {
    let path = path.to_owned();
    if error.kind() == io::ErrorKind::NotFound {
        return EvalError::NoFile { path };
    }
    EvalError::Unreadable { path, error }
}
