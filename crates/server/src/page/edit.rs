//! Writing a fact, and saying one anew. What was typed stays where it is refused.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde_json::{Value, json};
use truthkeeper::{BadInput, Caller, Draft, FactId, MemoryError, Right, Seen, Timestamp};

use super::act::{asked, done};
use super::assets;
use super::fact::current;
use super::fields::Fields;
use super::frame::{Frame, Section, page, page_of};
use super::said::Said;
use super::session::SignedIn;
use crate::app::App;
use crate::fault::Fault;
use crate::input::Named;
use crate::plain;

#[derive(Template)]
#[template(path = "edit.html")]
struct Edit {
    frame: Frame,
    /// The fact that is said anew; none for a new one.
    fact: Option<FactId>,
    typed: Typed,
    /// Why it was refused.
    problem: Option<Said>,
    /// Scopes that the key writes.
    scopes: Vec<String>,
}

/// What stands in the fields.
#[derive(Default)]
struct Typed {
    content: String,
    /// How the content is read: `text`, `string` or `json`.
    form: String,
    kind: String,
    scope: String,
    key: String,
    tags: String,
    valid_until: String,
    reason: String,
    expect_version: String,
}

pub(crate) async fn blank(State(app): State<App>, signed: SignedIn) -> Result<Response, Fault> {
    signed.keyed.caller(Right::FactsWrite)?;
    let scopes = scopes(&signed);
    let typed = Typed {
        form: "text".to_owned(),
        scope: scopes.first().cloned().unwrap_or_default(),
        ..Typed::default()
    };
    let frame = Frame::of(&app, &signed, Section::Memory, "Write a fact").await?;
    page(&Edit { frame, fact: None, typed, problem: None, scopes })
}

pub(crate) async fn form(
    State(app): State<App>,
    signed: SignedIn,
    Named(fact): Named,
) -> Result<Response, Fault> {
    signed.keyed.caller(Right::FactsWrite)?;
    let caller = signed.keyed.caller(Right::FactsRead)?;
    let seen = current(&app, &caller, fact).await?.ok_or(MemoryError::NotFound)?;
    let frame = Frame::of(&app, &signed, Section::Memory, "Edit a fact").await?;
    page(&Edit { frame, fact: Some(fact), typed: Typed::from(&seen), problem: None, scopes: Vec::new() })
}

pub(crate) async fn write(
    State(app): State<App>,
    signed: SignedIn,
    fields: Fields,
) -> Result<Response, Fault> {
    let (caller, key) = asked(&signed, Right::FactsWrite, &fields)?;
    let outcome = match draft(&fields, &caller) {
        Ok(draft) => app.memory.remember(&caller, key, draft).await,
        Err(bad) => Err(bad.into()),
    };
    match outcome {
        Ok(receipt) => Ok(done(&signed, receipt.fact, &receipt)),
        Err(error) => again(&app, &signed, None, &fields, error.into()).await,
    }
}

pub(crate) async fn supersede(
    State(app): State<App>,
    signed: SignedIn,
    Named(fact): Named,
    fields: Fields,
) -> Result<Response, Fault> {
    let (caller, key) = asked(&signed, Right::FactsWrite, &fields)?;
    // Whoever may not read it has no field with its end before them.
    let stands = match signed.keyed.may(Right::FactsRead) {
        true => current(&app, &caller, fact).await?.and_then(|seen| seen.revision.saying.valid_until),
        false => None,
    };
    let outcome = match draft(&fields, &caller).and_then(|draft| with_end(stands, draft)) {
        Ok(draft) => app.memory.remember(&caller, key, anew(fact, draft)).await,
        Err(bad) => Err(bad.into()),
    };
    match outcome {
        Ok(receipt) => Ok(done(&signed, receipt.fact, &receipt)),
        Err(error) => again(&app, &signed, Some(fact), &fields, error.into()).await,
    }
}

/// The draft, with what its field says of the end: what stands there unchanged stays to the millisecond, and an end that was
/// set cannot be taken away.
fn with_end(stands: Option<Timestamp>, draft: Draft) -> Result<Draft, BadInput> {
    let second = |time: Timestamp| time.micros().div_euclid(1_000_000);
    match (stands, draft.valid_until) {
        (Some(_), None) => {
            let problem =
                "an end that was set stays: write a later one, or forget the fact and write it anew";
            Err(BadInput::new("true until", problem))
        }
        (Some(stands), Some(typed)) if second(stands) == second(typed) => {
            Ok(Draft { valid_until: None, ..draft })
        }
        (Some(_) | None, _) => Ok(draft),
    }
}

/// The end as the field shows it, to the second.
fn until_shown(seen: &Seen) -> Option<String> {
    let until = seen.revision.saying.valid_until?.to_string();
    until.get(..19).map(str::to_owned)
}

/// What a fact is, whose, and under which key, stays.
fn anew(fact: FactId, draft: Draft) -> Draft {
    Draft { fact: Some(fact), kind: None, scope: None, key: None, ..draft }
}

/// The form with what was typed, and why it was refused.
async fn again(
    app: &App,
    signed: &SignedIn,
    fact: Option<FactId>,
    fields: &Fields,
    fault: Fault,
) -> Result<Response, Fault> {
    if fault.status.is_server_error() || fault.code == "fact-not-found" {
        return Err(fault);
    }
    let title = if fact.is_some() { "Edit a fact" } else { "Write a fact" };
    let frame = Frame::of(app, signed, Section::Memory, title).await?;
    let mut typed = Typed::of(fields);
    if fault.code == "secret-refused" {
        typed = typed.map(|text| app.memory.without_secrets(&text));
    }
    if let Some(current) = fault.current_version {
        typed.expect_version = current.to_string();
    }
    let problem = match fault.code {
        "fact-changed" => {
            "It was changed while you wrote. Your words are still here: look at the fact, then save again."
                .to_owned()
        }
        _ => fault.message,
    };
    let problem = Some(Said::of(problem));
    page_of(fault.status, &Edit { frame, fact, typed, problem, scopes: scopes(signed) })
}

/// What a form says, as a draft.
fn draft(fields: &Fields, caller: &Caller) -> Result<Draft, BadInput> {
    let owned = |name| fields.get(name).map(|text| text.trim().to_owned());
    let tags = fields.raw("tags").lines().map(str::trim).filter(|tag| !tag.is_empty());
    Ok(Draft {
        expect_version: fields.expected()?.map(|version| version.get()),
        kind: owned("type"),
        scope: fields.scope(caller.tenant())?,
        key: owned("key"),
        content: Some(content(fields.raw("content"), fields.raw("form"))?),
        tags: Some(tags.map(str::to_owned).collect()),
        valid_until: fields.time("validUntil")?,
        reason: owned("reason"),
        ..Draft::default()
    })
}

/// A content in the form that it had.
pub(crate) fn content(text: &str, form: &str) -> Result<Value, BadInput> {
    match form {
        "json" => serde_json::from_str(text).map_err(|error| {
            BadInput::new(
                "content",
                format!("is no JSON at line {}, column {}", error.line(), error.column()),
            )
        }),
        "string" => Ok(Value::String(text.to_owned())),
        _ if text.trim().is_empty() => Err(BadInput::new("content", "must not be empty or blank")),
        _ => Ok(json!({ "text": text })),
    }
}

fn scopes(signed: &SignedIn) -> Vec<String> {
    signed.keyed.key().bounds.writes.iter().map(truthkeeper::Scope::path).collect()
}

impl Typed {
    fn of(fields: &Fields) -> Self {
        let raw = |name| fields.raw(name).to_owned();
        Self {
            content: raw("content"),
            form: raw("form"),
            kind: raw("type"),
            scope: raw("scope"),
            key: raw("key"),
            tags: raw("tags"),
            valid_until: raw("validUntil"),
            reason: raw("reason"),
            expect_version: raw("expectVersion"),
        }
    }

    /// What a person typed, each text changed.
    fn map(self, change: impl Fn(String) -> String) -> Self {
        let Self { content, form, kind, scope, key, tags, valid_until, reason, expect_version } = self;
        let [content, kind, scope, key, tags, reason] = [content, kind, scope, key, tags, reason].map(change);
        Self { content, form, kind, scope, key, tags, valid_until, reason, expect_version }
    }
}

impl From<&Seen> for Typed {
    fn from(seen: &Seen) -> Self {
        let revision = &seen.revision;
        let value = revision.content().map_or(&Value::Null, |content| content.value());
        let (content, form) = match (value, plain::text_alone(value)) {
            (Value::String(text), _) => (text.clone(), "string"),
            (_, Some(text)) => (text.to_owned(), "text"),
            (value, None) => (format!("{value:#}"), "json"),
        };
        let tags = revision.words.as_ref().map_or(&[][..], |words| &words.tags);
        let tags: Vec<&str> = tags.iter().map(truthkeeper::Text::as_str).collect();
        Self {
            content,
            form: form.to_owned(),
            tags: tags.join("\n"),
            valid_until: until_shown(seen).unwrap_or_default(),
            expect_version: revision.number.to_string(),
            ..Self::default()
        }
    }
}
