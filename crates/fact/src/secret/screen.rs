//! What becomes of what is said where a secret is in it: refused, or kept without it.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{Detector, Found, Reading, SecretValues, find, said::Beside};
use crate::{Draft, Evidence, Legacy, Text};

/// How often what is left of a text is looked at, once its secrets are taken out.
const PASSES_MAX: usize = 4;

/// What is done about a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SecretPolicy {
    /// What has one in it is refused as a whole.
    #[default]
    Refuse,
    /// The secret is replaced by a mark such as `[redacted: github-token]`; the rest is kept.
    Redact,
    /// Nothing is looked for.
    Off,
}

/// A secret that was found: where, and by what. Never the secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{field}: holds a secret (found by: {})", .detector.name())]
pub struct HoldsSecret {
    /// The field as the caller names it.
    pub field: &'static str,
    /// What found it.
    pub detector: Detector,
}

/// What every word passes before it is kept. `Debug` shows no value of the list.
#[derive(Debug, Clone, Default)]
pub struct Screen {
    policy: SecretPolicy,
    values: SecretValues,
}

impl SecretPolicy {
    /// Every one of them.
    pub const ALL: [Self; 3] = [Self::Refuse, Self::Redact, Self::Off];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Redact => "redact",
            Self::Off => "off",
        }
    }

    /// Reads a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|policy| policy.name() == name)
    }
}

impl Screen {
    /// By that policy, with the operator's own list.
    pub fn new(policy: SecretPolicy, values: SecretValues) -> Self {
        Self { policy, values }
    }

    /// One text of a request, such as a note.
    pub fn text<'a>(&self, field: &'static str, text: &'a str) -> Result<Cow<'a, str>, HoldsSecret> {
        let mut pass = Pass::of(self, &[]);
        let kept = pass.text(field, text);
        pass.end()?;
        Ok(kept.map_or(Cow::Borrowed(text), Cow::Owned))
    }

    /// All that a draft says. An id in it is never changed, and refused whatever the policy.
    pub fn draft(&self, draft: Draft) -> Result<Draft, HoldsSecret> {
        if self.policy == SecretPolicy::Off {
            return Ok(draft);
        }
        let before = draft.clone();
        let beside = beside_of(&before);
        let mut pass = Pass::of(self, &beside);
        let kept = Draft {
            key: draft.key.map(|key| pass.name("key", key)),
            content: draft.content.map(|content| pass.json("content", content)),
            tags: draft.tags.map(|tags| tags.into_iter().map(|tag| pass.name("tags", tag)).collect()),
            reason: draft.reason.map(|reason| pass.kept("reason", reason)),
            evidence: draft.evidence.into_iter().map(|evidence| pass.evidence(evidence)).collect(),
            ..draft
        };
        pass.end()?;
        self.ids(&kept)?;
        Ok(kept)
    }

    /// All that a memory from before the ledger says.
    pub fn legacy(&self, legacy: Legacy) -> Result<Legacy, HoldsSecret> {
        if self.policy == SecretPolicy::Off {
            return Ok(legacy);
        }
        let key = legacy.key.clone();
        let beside: Vec<&str> = key.iter().map(Text::as_str).collect();
        let mut pass = Pass::of(self, &beside);
        let mut text = |field, text: Text| Text::stored(pass.kept(field, text.as_str().to_owned()));
        let kept = Legacy {
            text: text("text", legacy.text),
            key: legacy.key.map(|key| text("key", key)),
            tags: legacy.tags.into_iter().map(|tag| text("tags", tag)).collect(),
            ..legacy
        };
        pass.end()?;
        for named in [Some(&kept.place), kept.owner.as_ref(), kept.project.as_ref()].into_iter().flatten() {
            self.id("place", named.as_str())?;
        }
        Ok(kept)
    }

    /// An id, a label, a name: refused whatever the policy, because it cannot be changed.
    pub fn id(&self, field: &'static str, id: &str) -> Result<(), HoldsSecret> {
        match self.policy {
            SecretPolicy::Off => Ok(()),
            SecretPolicy::Refuse | SecretPolicy::Redact => {
                let found = find(id, &self.values, Reading::Id);
                found.first().map_or(Ok(()), |found| Err(HoldsSecret { field, detector: found.detector }))
            }
        }
    }

    /// What a request means as a whole, once its words were looked at: nothing may be left in it. A door that forgot to
    /// look refuses here, instead of keeping a secret.
    pub fn check(&self, meaning: &Value) -> Result<(), HoldsSecret> {
        if self.policy == SecretPolicy::Off {
            return Ok(());
        }
        self.check_in("request", meaning)
    }

    /// A text that is not refused, such as a query, as it may leave the process or be shown: without its secrets. None where
    /// nothing was found.
    pub fn cleaned(&self, text: &str) -> Option<String> {
        if self.policy == SecretPolicy::Off {
            return None;
        }
        redacted(text, &self.values, Reading::Words(Beside::default())).map(|(text, _)| text)
    }

    fn check_in(&self, field: &'static str, value: &Value) -> Result<(), HoldsSecret> {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
            Value::String(text) => {
                let reading = if is_worded(field) { Reading::Words(Beside::default()) } else { Reading::Id };
                let found = find(text, &self.values, reading);
                found.first().map_or(Ok(()), |found| Err(HoldsSecret { field, detector: found.detector }))
            }
            Value::Array(items) => items.iter().try_for_each(|item| self.check_in(field, item)),
            Value::Object(members) => members.iter().try_for_each(|(name, member)| {
                // What stands in a content is content, whatever it is called there.
                let below = if field == "content" { field } else { known(name).unwrap_or(field) };
                self.check_in(field, &Value::String(name.clone()))?;
                self.check_in(below, member)
            }),
        }
    }

    fn ids(&self, draft: &Draft) -> Result<(), HoldsSecret> {
        let Draft { kind, scope, subjects, provenance, evidence, .. } = draft;
        kind.iter().try_for_each(|kind| self.id("type", kind))?;
        let json = |value: serde_json::Result<Value>| value.unwrap_or_default();
        self.check_in("scope", &json(serde_json::to_value(scope)))?;
        self.check_in("subjects", &json(serde_json::to_value(subjects)))?;
        self.check_in("generatedBy", &json(serde_json::to_value(provenance)))?;
        evidence.iter().try_for_each(|evidence| self.id("evidence.id", evidence.id.as_str()))
    }
}

/// The fields of requests that people and models write words into.
fn is_worded(field: &str) -> bool {
    matches!(field, "content" | "key" | "tags" | "reason" | "note" | "evidence.quote" | "text")
}

/// A field by the name that an error gives it: never what a caller made up.
fn known(name: &str) -> Option<&'static str> {
    let fields =
        ["content", "key", "tags", "reason", "note", "text", "scope", "subjects", "generatedBy", "evidence"];
    match name {
        "quote" => Some("evidence.quote"),
        name => fields.into_iter().find(|field| *field == name),
    }
}

/// What in a draft can name a secret whose value stands elsewhere in it.
fn beside_of(draft: &Draft) -> Vec<&str> {
    let mut texts: Vec<&str> = draft.key.iter().map(String::as_str).collect();
    texts.extend(draft.tags.iter().flatten().map(String::as_str));
    texts.extend(draft.reason.iter().map(String::as_str));
    texts.extend(draft.evidence.iter().filter_map(|evidence| evidence.quote.as_ref()).map(Text::as_str));
    draft.content.iter().for_each(|content| strings(content, &mut texts));
    texts
}

fn strings<'a>(value: &'a Value, texts: &mut Vec<&'a str>) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| strings(item, texts)),
        Value::Object(members) => members.values().for_each(|member| strings(member, texts)),
    }
}

/// One look at everything that a request says.
struct Pass<'a> {
    screen: &'a Screen,
    beside: &'a [&'a str],
    found: Option<HoldsSecret>,
}

impl<'a> Pass<'a> {
    fn of(screen: &'a Screen, beside: &'a [&'a str]) -> Self {
        Self { screen, beside, found: None }
    }

    /// What was found, where that is refused.
    fn end(self) -> Result<(), HoldsSecret> {
        match (self.screen.policy, self.found) {
            (SecretPolicy::Refuse, Some(found)) => Err(found),
            (SecretPolicy::Refuse | SecretPolicy::Redact | SecretPolicy::Off, _) => Ok(()),
        }
    }

    /// The text without its secrets; none where there are none.
    fn text(&mut self, field: &'static str, text: &str) -> Option<String> {
        self.text_beside(field, text, self.beside)
    }

    fn text_beside(&mut self, field: &'static str, text: &str, beside: &[&str]) -> Option<String> {
        if self.screen.policy == SecretPolicy::Off {
            return None;
        }
        let reading = Reading::Words(Beside { texts: beside });
        let (text, detector) = redacted(text, &self.screen.values, reading)?;
        self.found.get_or_insert(HoldsSecret { field, detector });
        Some(text)
    }

    fn kept(&mut self, field: &'static str, text: String) -> String {
        self.text(field, &text).unwrap_or(text)
    }

    /// A name: it can name a secret, and is not the value of one that is named beside it.
    fn name(&mut self, field: &'static str, text: String) -> String {
        self.text_beside(field, &text, &[]).unwrap_or(text)
    }

    fn evidence(&mut self, mut evidence: Evidence) -> Evidence {
        let quote = evidence.quote.map(|quote| self.kept("evidence.quote", quote.as_str().to_owned()));
        evidence.quote = quote.map(Text::stored);
        evidence
    }

    fn json(&mut self, field: &'static str, value: Value) -> Value {
        self.json_beside(field, value, self.beside)
    }

    fn json_beside(&mut self, field: &'static str, value: Value, beside: &[&str]) -> Value {
        match value {
            Value::Null | Value::Bool(_) => value,
            Value::Number(number) => {
                let text = number.to_string();
                self.text_beside(field, &text, beside).map_or(Value::Number(number), Value::String)
            }
            Value::String(text) => Value::String(self.text_beside(field, &text, beside).unwrap_or(text)),
            Value::Array(items) => {
                items.into_iter().map(|item| self.json_beside(field, item, beside)).collect()
            }
            Value::Object(members) => Value::Object(self.members(field, members, beside)),
        }
    }

    /// A name within a content can be a secret, and can name one.
    fn members(
        &mut self,
        field: &'static str,
        members: Map<String, Value>,
        beside: &[&str],
    ) -> Map<String, Value> {
        let mut kept = Map::new();
        for (name, member) in members {
            let named: Vec<&str> = beside.iter().copied().chain([name.as_str()]).collect();
            let member = self.json_beside(field, member, &named);
            let name = self.name(field, name);
            let free = |name: &String| !kept.contains_key(name);
            let numbered = (2..).map(|number| format!("{name} {number}"));
            let name = [name.clone()].into_iter().chain(numbered).find(free).unwrap_or(name);
            kept.insert(name, member);
        }
        kept
    }
}

/// The text with a mark for each secret, and what found the first; none where nothing is found.
fn redacted(text: &str, values: &SecretValues, reading: Reading<'_>) -> Option<(String, Detector)> {
    let found = find(text, values, reading);
    let detector = found.first()?.detector;
    let mut kept = marked(text, &found);
    // What is left may read otherwise, such as two halves that come together.
    for _ in 0..PASSES_MAX {
        let found = find(&kept, values, reading);
        if found.is_empty() {
            return Some((kept, detector));
        }
        kept = marked(&kept, &found);
    }
    Some((mark(detector), detector))
}

fn marked(text: &str, found: &[Found]) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for Found { start, end, detector } in found {
        kept.push_str(&text[from..*start]);
        kept.push_str(&mark(*detector));
        from = *end;
    }
    kept.push_str(&text[from..]);
    kept
}

fn mark(detector: Detector) -> String {
    format!("[redacted: {}]", detector.name())
}

impl From<HoldsSecret> for crate::BadInput {
    fn from(found: HoldsSecret) -> Self {
        Self::new(found.field, format!("holds a secret (found by: {})", found.detector.name()))
    }
}
