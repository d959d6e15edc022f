//! What a run of an agent asks its memory for before a turn: several intents, one answer.

use fact::{BadInput, FactType, Near, Run};
use recall::{Recalled, Warning};
use serde::Deserialize;
use serde_json::Value;

use crate::receipts::Asked;
use crate::{Caller, Memory, MemoryError, Mode, Question, Recall};

/// Intents of one turn.
const INTENTS_MAX: usize = 20;

/// One thing that a run asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    /// The kinds of facts; any when none is named.
    pub kinds: Vec<FactType>,
    /// Whose.
    pub near: Near,
    /// How it is looked for.
    pub mode: Mode,
    /// At most that many facts, all kinds together; 10 where it does not say.
    pub limit: Option<usize>,
}

/// An intent as an agent declares it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Declared {
    #[serde(default)]
    types: Vec<String>,
    scope: String,
    #[serde(default)]
    mode: Option<String>,
    #[serde(default)]
    limit: Option<usize>,
    #[serde(default)]
    source: Option<String>,
}

impl Intent {
    /// Reads `{"types": […], "scope": "same-user", "mode": "both", "limit": 5}`; a source may be `facts`.
    pub fn from_json(value: Value) -> Result<Self, BadInput> {
        if !value.is_object() {
            return Err(BadInput::new("intent", "must be a JSON object"));
        }
        let declared: Declared =
            serde_json::from_value(value).map_err(|error| BadInput::new("intent", error.to_string()))?;
        let one_of = |field, names: &str| BadInput::new(field, format!("must be {names}"));
        if declared.source.is_some_and(|source| source != "facts") {
            return Err(one_of("intent.source", "facts"));
        }
        let near = Near::parse(&declared.scope)
            .ok_or_else(|| one_of("intent.scope", "same-conversation, same-user, same-project or tenant"))?;
        let mode = declared.mode.as_deref().map(|name| {
            let names = "keyword, semantic, both, list or none";
            Mode::parse(name).ok_or_else(|| one_of("intent.mode", names))
        });
        Ok(Self {
            kinds: declared.types.iter().map(|kind| FactType::parse(kind)).collect::<Result<_, _>>()?,
            near,
            mode: mode.transpose()?.unwrap_or_default(),
            limit: declared.limit,
        })
    }

    /// What it is called where it is spoken of.
    fn name(&self, place: usize) -> String {
        format!("intent {} ({}, {})", place + 1, self.near.name(), self.mode.name())
    }

    fn recall(&self, query: &str) -> Recall {
        let recall = match self.mode {
            Mode::List => Recall::newest(),
            Mode::Keyword | Mode::Semantic | Mode::Both => Recall::query(query).mode(self.mode),
        };
        let recall = recall.kinds(self.kinds.clone());
        self.limit.map_or(recall.clone(), |limit| recall.limit(limit))
    }
}

impl Memory {
    /// Recalls what a run asks for before a turn, with the user's message as the query. Each intent reads what both the
    /// run and the caller may see; what the run does not have, such as an end user, reads nothing and warns.
    ///
    /// An intent that cannot be answered fails the turn and is named; `both` without embeddings looks at the words.
    pub async fn recall_turn(
        &self,
        caller: &Caller,
        run: &Run,
        intents: &[Intent],
        query: &str,
    ) -> Result<Recalled, MemoryError> {
        if intents.is_empty() || intents.len() > INTENTS_MAX {
            return Err(BadInput::new("intents", format!("must be 1 to {INTENTS_MAX}")).into());
        }
        if run.scope().tenant != *caller.tenant() {
            return Err(BadInput::new("run.tenantId", "is not the caller's tenant").into());
        }
        let began = self.clock.now();
        let now = self.now(caller.tenant()).await?;
        self.audit(caller, "recall", None, now).await;
        self.catch_up(now).await;
        let last = self.ledger.last(caller.tenant()).await?;
        let (mut answers, mut questions, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
        for (place, intent) in intents.iter().enumerate() {
            let Some(reader) = run.reader(&caller.reader, intent.near) else {
                warnings.extend(Warning::of(intent.near));
                continue;
            };
            let (caller, recall) = (Caller { reader, ..caller.clone() }, intent.recall(query));
            questions.push(Question::of(&caller.reader, &recall));
            let answer = self.recall_at(&caller, &recall, now).await;
            answers.push(answer.map_err(|error| MemoryError::Intent {
                intent: intent.name(place),
                error: Box::new(error),
            })?);
        }
        let recalled = Recalled::joined(answers, warnings);
        self.told(caller, Asked { query: Some(query), questions, last, now }, began, recalled).await
    }
}
