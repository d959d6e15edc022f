//! The file: TOML, one line for each thing that is told.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};
use truthkeeper::BadInput;

use super::knobs;
use crate::store;

/// Its name in the data folder.
const NAME: &str = "memory.toml";

/// Where it is looked for when nobody names one: beside the memory that is nobody's choice either. Never in the folder
/// in which the command is called, which may be anybody's.
pub(super) fn usual() -> Option<PathBuf> {
    store::own_folder().map(|folder| folder.join(NAME))
}

/// What it says, by name. What it says is never repeated in a refusal: keys are among it.
pub(super) fn read(path: &Path) -> Result<BTreeMap<&'static str, String>, BadInput> {
    let bad = |problem: String| BadInput::new(path.display().to_string(), problem);
    let text = fs::read_to_string(path).map_err(|error| bad(format!("cannot be read: {error}")))?;
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map(|before| before.matches('\n').count() + 1);
        bad(format!("is no TOML{}", line.map_or_else(String::new, |line| format!(" at line {line}"))))
    })?;
    table.into_iter().map(|(name, value)| told(path, &name, value)).collect()
}

fn told(path: &Path, name: &str, value: Value) -> Result<(&'static str, String), BadInput> {
    let bad = |problem: &str| BadInput::new(format!("{name} in {}", path.display()), problem.to_owned());
    let known = knobs::ALL.iter().find(|knob| knob.name == name);
    let knob = known.ok_or_else(|| bad("is no name; `memory config show` lists them"))?;
    let text = match value {
        Value::String(text) => text,
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Array(several) => {
            let names: Option<Vec<&str>> = several.iter().map(Value::as_str).collect();
            names.ok_or_else(|| bad("must be texts in a list"))?.join(",")
        }
        Value::Boolean(_) | Value::Datetime(_) | Value::Table(_) => {
            return Err(bad("must be a text or a number"));
        }
    };
    Ok((knob.name, text))
}
