//! What a fact says: any JSON, in one canonical form.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{BadInput, Text, limits, text};

/// Any JSON within the limits. `Debug` shows its size only.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Content(Value);

impl Content {
    /// Refuses blank text, NUL, numbers so large that canonical JSON would merge them, and what is over the limits.
    pub fn parse(value: Value) -> Result<Self, BadInput> {
        check_value(&value, limits::CONTENT_DEPTH_MAX)?;
        if says_nothing(&value) {
            return Err(BadInput::new("content", "must not be empty or blank"));
        }
        let content = Self(value);
        let chars = content.text().as_str().chars().count();
        if chars > limits::CONTENT_CHARS_MAX {
            let most = limits::CONTENT_CHARS_MAX;
            return Err(BadInput::new("content", format!("has {chars} characters; at most {most}")));
        }
        let bytes = content.canonical().len();
        if bytes > limits::CONTENT_BYTES_MAX {
            let most = limits::CONTENT_BYTES_MAX;
            return Err(BadInput::new("content", format!("has {bytes} bytes; at most {most}")));
        }
        Ok(content)
    }

    /// A plain text, as `{"text": …}`.
    pub fn of_text(text: &Text) -> Self {
        Self(serde_json::json!({ "text": text }))
    }

    /// The same without the member `key`, where it has one beside others.
    pub fn without_key(&self) -> Option<Self> {
        let Value::Object(mut members) = self.0.clone() else { return None };
        members.remove("key").filter(|_| !members.is_empty()).map(|_| Self(Value::Object(members)))
    }

    /// The JSON itself.
    pub fn value(&self) -> &Value {
        &self.0
    }

    /// Canonical JSON (RFC 8785).
    pub fn canonical(&self) -> String {
        canonical(&self.0)
    }

    /// `sha256:` and the digest of the canonical form. Never stored: it would outlive an erasure.
    pub fn hash(&self) -> String {
        format!("sha256:{}", hex(&Sha256::digest(self.canonical())))
    }

    /// Bytes of the canonical form.
    pub fn size(&self) -> usize {
        self.canonical().len()
    }

    /// What a search sees: every string and number of the content, in canonical form and order, one a line.
    pub fn text(&self) -> Text {
        let mut lines = Vec::new();
        collect_lines(&self.0, &mut lines);
        Text::stored(lines.join("\n"))
    }

    /// The statement for comparing with others: canonical, with each string NFC and its white space folded.
    pub fn statement(&self) -> String {
        canonical(&fold(&self.0))
    }
}

impl std::fmt::Debug for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Content({} bytes)", self.size())
    }
}

/// Canonical JSON (RFC 8785) of a value that this crate made or checked.
pub fn canonical(value: &impl Serialize) -> String {
    serde_jcs::to_string(value).expect("checked JSON has a canonical form")
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        write!(out, "{byte:02x}").expect("a string takes every write");
        out
    })
}

fn check_value(value: &Value, depth: usize) -> Result<(), BadInput> {
    let Some(below) = depth.checked_sub(1) else {
        let most = limits::CONTENT_DEPTH_MAX;
        return Err(BadInput::new("content", format!("is nested too deep; at most {most} levels")));
    };
    match value {
        Value::Null | Value::Bool(_) => Ok(()),
        Value::Number(number) => check_number(number),
        Value::String(string) => check_nul(string),
        Value::Array(items) => items.iter().try_for_each(|item| check_value(item, below)),
        Value::Object(members) => members.iter().try_for_each(|(name, member)| {
            check_nul(name)?;
            check_value(member, below)
        }),
    }
}

fn check_nul(text: &str) -> Result<(), BadInput> {
    if text.contains('\0') {
        return Err(BadInput::new("content", "must not contain a NUL character"));
    }
    Ok(())
}

/// A whole number of more digits than fit has already lost some when it comes in as a float, so a float has the
/// same line.
const TWO_TO_53: f64 = 9_007_199_254_740_992.0;

fn check_number(number: &serde_json::Number) -> Result<(), BadInput> {
    let whole = number.as_i64().map(i64::unsigned_abs).or_else(|| number.as_u64());
    let is_beyond = match whole {
        Some(whole) => whole > limits::CONTENT_INTEGER_MAX,
        None => number.as_f64().is_none_or(|float| float.abs() > TWO_TO_53),
    };
    if is_beyond {
        return Err(BadInput::new("content", "holds a number beyond 2^53; write it as a string"));
    }
    Ok(())
}

/// A blank string, or an object whose `text` is one: nothing that could be recalled.
fn says_nothing(value: &Value) -> bool {
    match value {
        Value::String(string) => text::is_blank(string),
        Value::Object(members) => {
            matches!(members.get("text"), Some(Value::String(string)) if text::is_blank(string))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => false,
    }
}

fn collect_lines(value: &Value, lines: &mut Vec<String>) {
    match value {
        Value::Null | Value::Bool(_) => {}
        Value::Number(number) => lines.push(canonical(number)),
        Value::String(string) => lines.push(string.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect_lines(item, lines)),
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            members.iter().for_each(|(_, member)| collect_lines(member, lines));
        }
    }
}

fn fold(value: &Value) -> Value {
    match value {
        Value::String(string) => Value::String(text::folded(string)),
        Value::Array(items) => Value::Array(items.iter().map(fold).collect()),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, member)| (name.clone(), fold(member))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}
