//! `config show`.

use std::env;

use serde::Serialize;
use truthkeeper::BadInput;

use super::{Knob, Teller, knobs};
use crate::args::Global;
use crate::embedder;
use crate::error::CliError;
use crate::out;
use crate::show::table::table;

/// A knob as it stands.
#[derive(Debug, Serialize)]
struct Line {
    name: &'static str,
    variable: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    flag: Option<&'static str>,
    about: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    /// Who said so.
    from: String,
}

#[derive(Debug, Serialize)]
struct Shown {
    /// The file that was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    knobs: Vec<Line>,
    /// Variables that look as if they meant something here.
    unknown: Vec<String>,
}

/// Shows all of them, and fails where one makes no sense.
pub(super) fn run(global: &Global) -> Result<(), CliError> {
    let mut bad = None;
    let mut lines = Vec::new();
    for knob in knobs::ALL {
        let (value, from) = stands(global, knob).unwrap_or_else(|problem| {
            let from = format!("makes no sense: {problem}");
            bad.get_or_insert(problem);
            (None, from)
        });
        let Knob { name, kind, default, flag, about } = knob;
        let (value, default, flag) = (value.map(|value| kind.shown(&value)), *default, *flag);
        lines.push(Line { name, variable: knob.variable(), flag, about, default, value, from });
    }
    let file = global.config.file.as_ref().map(|file| file.path.display().to_string());
    let shown = Shown { file, knobs: lines, unknown: unknown() };
    if global.json {
        out::json(&shown)?
    } else {
        out::text(&text(&shown))?
    }
    for name in &shown.unknown {
        out::note(&format!("{name} is set, and means nothing here"));
    }
    bad.map_or(Ok(()), |bad| Err(bad.into()))
}

/// What holds, and who said so.
fn stands(global: &Global, knob: &Knob) -> Result<(Option<String>, String), BadInput> {
    if let (Some(db), "db") = (&global.db, knob.name) {
        knob.kind.check(db).map_err(|problem| BadInput::new("db", problem))?;
        return Ok((Some(db.clone()), "flag".to_owned()));
    }
    if let Some(told) = global.config.told(knob)? {
        let from = match told.by {
            Teller::Environment => "environment".to_owned(),
            Teller::File(path) => path.display().to_string(),
        };
        return Ok((Some(told.text), from));
    }
    let kept = match knob.name {
        "embeddings" => embedder::kept()?,
        "embeddings_former" => embedder::kept_former()?,
        _ => None,
    };
    if let Some(kept) = kept {
        return Ok((Some(kept), "memory models use".to_owned()));
    }
    let default = match knob.name {
        "db" => crate::store::usual(),
        _ => knob.default.map(str::to_owned),
    };
    Ok((default, "default".to_owned()))
}

fn text(shown: &Shown) -> String {
    let rows = shown.knobs.iter().map(|line| {
        let value = line.value.clone().unwrap_or_else(|| "-".to_owned());
        vec![line.name.to_owned(), value, line.from.clone()]
    });
    table(&["name", "value", "from"], rows)
}

/// Variables with our beginning that are none of ours.
fn unknown() -> Vec<String> {
    let known =
        |name: &str| name == super::FILE_VARIABLE || knobs::ALL.iter().any(|knob| knob.variable() == name);
    let names = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let mut unknown: Vec<String> = names.filter(|name| name.starts_with("MEMORY_") && !known(name)).collect();
    unknown.sort();
    unknown
}
