//! `memory serve --demo`: a person's facts, told through the library as programs tell them, with what waits for her.

use serde_json::{Value, json};
use tempfile::TempDir;
use truthkeeper::{
    Actor, BadInput, Bounds, Caller, Draft, FactId, Filter, Id, Intake, Legacy, Memory, MemoryError, NewKey,
    Recall, Right, Scope,
};

use crate::args::Global;
use crate::error::CliError;

/// What stands over the story.
pub(super) const TITLE: &str = "What an agent believes about Ana, and what waits for her:";

/// Whose facts they are.
const ANA: &str = "user:ana";
/// How far ahead the fact that begins later begins.
const AHEAD_DAYS: u32 = 30;

/// The store of the story. Dropping it removes the one that was made for it.
pub(super) struct Stage {
    pub(super) address: String,
    folder: Option<TempDir>,
}

/// Those who speak.
struct Cast {
    ana: Caller,
    desk: Caller,
    scope: Scope,
}

impl Stage {
    /// The store that the command line names, which must be empty; else a new one. The one of the environment is left
    /// alone: it is whoever's everyday memory.
    pub(super) fn set(global: &Global) -> Result<Self, CliError> {
        if let Some(address) = &global.db {
            return Ok(Self { address: address.clone(), folder: None });
        }
        let folder = tempfile::Builder::new().prefix("truthkeeper-demo.").tempdir()?;
        let address = folder.path().join("memory.db").into_os_string().into_string();
        let address = address.map_err(|_| BadInput::new("demo", "the temporary folder is not UTF-8"))?;
        Ok(Self { address, folder: Some(folder) })
    }

    /// Tells the story, and gives what to look at.
    pub(super) async fn tell(&self, memory: &Memory, operator: &Caller) -> Result<Vec<String>, CliError> {
        if memory.events().await? > 0 {
            return Err(BadInput::new("db", "has facts already, and a demo needs an empty store").into());
        }
        let tenant = operator.tenant();
        let scope = Scope::parse_path("scope", tenant, ANA)?;
        let cast = Cast {
            ana: Caller::within(&scope, Actor::parse("actor", ANA)?)?,
            desk: Caller::within(&scope, Actor::parse("actor", "agent:desk@1.2")?)?,
            scope,
        };
        cast.truths(memory).await?;
        cast.doubts(memory).await?;
        cast.earlier(memory, operator).await?;
        self.to_look_at(memory, &cast).await
    }

    /// A key of Ana's: what waits for her is hers to decide.
    pub(super) async fn key(memory: &Memory, tenant: &Id) -> Result<String, CliError> {
        let rights = [Right::FactsRead, Right::FactsWrite, Right::Review].into();
        let bounds =
            Bounds { rights, reads: Vec::new(), writes: vec![Scope::parse_path("scope", tenant, ANA)?] };
        let new = NewKey { label: "Ana's".to_owned(), actor: Actor::parse("actor", ANA)?, bounds };
        Ok(memory.create_key(tenant, new).await?.1.reveal())
    }

    async fn to_look_at(&self, memory: &Memory, cast: &Cast) -> Result<Vec<String>, CliError> {
        let current =
            memory.list(&cast.ana, &Filter::current(), truthkeeper::Times::default(), None, 100).await?;
        let (conflicts, _) = memory.conflicts(&cast.ana, 100).await?;
        let held = memory.held_back(&cast.ana).await?;
        let older = memory.legacy_rows(&cast.ana, None, None, 100).await?.rows;
        let rows = [
            (current.items.len(), "facts that are true now", "facts list"),
            (conflicts.len(), "conflict: may she be reached by mail, or by phone?", "conflicts list"),
            (held.len(), "thing that the agent said again after she forgot it", "review list"),
            (older.len(), "memories from before the ledger, not reviewed yet", "adopt list"),
        ];
        let place = match &self.folder {
            Some(_) => format!("--db {} ", self.address),
            None => String::new(),
        };
        let lines = rows.map(|(count, what, verb)| format!("{count}  {what:<55} memory {place}{verb}"));
        Ok(lines.into_iter().collect())
    }
}

impl Cast {
    /// What is settled: a correction, a fact that begins later, one that Ana vouches for, and what a turn recalled.
    async fn truths(&self, memory: &Memory) -> Result<(), CliError> {
        let then = memory.now(self.ana.tenant()).await?.plus_days(AHEAD_DAYS).to_string();
        self.says(memory, &self.ana, json!({"key": "drink", "content": "Ana drinks tea in the morning"}))
            .await?;
        self.says(memory, &self.ana, json!({"key": "drink", "content": "Ana drinks coffee in the morning"}))
            .await?;
        let city = json!({"key": "city", "content": "Ana lives in Lisbon", "validFrom": then});
        self.says(memory, &self.ana, city).await?;
        let diet = json!({"key": "diet", "content": "Ana is allergic to peanuts", "confidence": 0.97,
            "evidence": [{"kind": "message", "id": "m41"}]});
        let diet = self.says(memory, &self.desk, diet).await?;
        memory.verify(&self.ana, None, diet, None).await?;
        for text in ["Ana plays the cello in an orchestra", "Ana plays cello in the orchestra"] {
            self.says(memory, &self.desk, json!({"type": "acme.note", "content": text})).await?;
        }
        for query in ["what does Ana drink in the morning", "what may Ana not eat"] {
            memory.recall(&self.desk, &Recall::query(query)).await?;
        }
        Ok(())
    }

    /// What waits for Ana: an update that the agent is not sure of, and something that it says again.
    async fn doubts(&self, memory: &Memory) -> Result<(), CliError> {
        let contact = json!({"key": "contact", "content": "Ana wants to be reached by mail"});
        let contact = self.says(memory, &self.ana, contact).await?;
        let doubt = json!({"fact": contact, "content": {"text": "Ana wants to be reached by phone"}, "confidence": 0.6,
            "evidence": [{"kind": "run", "id": "r7"}]});
        self.remember(memory, &self.desk, doubt).await?;
        let choir = json!({"content": "Ana sings in a choir"});
        let hobby = self.says(memory, &self.ana, choir.clone()).await?;
        memory.forget(&self.ana, None, hobby, None, Some("that was another Ana")).await?;
        self.says(memory, &self.desk, choir).await?;
        Ok(())
    }

    /// What another program remembered before.
    async fn earlier(&self, memory: &Memory, operator: &Caller) -> Result<(), CliError> {
        let notes =
            ["Ana has a dog called Pico", "Ana has a dog called Pico", "Ana drinks tea in the morning"];
        let memories = (1..).zip(notes).map(|(line, text)| {
            serde_json::from_value::<Legacy>(
                json!({"source": "markdown", "place": format!("notes.md:{line}"),
                "text": text, "origin": "explicit"}),
            )
        });
        let memories = memories.collect::<Result<Vec<_>, _>>()?;
        memory.import_legacy(operator, &mut Intake::of(self.scope.clone()), memories).await?;
        Ok(())
    }

    /// A fact of Ana's, of a kind of its own where it says none.
    async fn says(&self, memory: &Memory, caller: &Caller, mut said: Value) -> Result<FactId, MemoryError> {
        said["content"] = json!({ "text": said["content"] });
        said["scope"] = json!({"userId": "ana"});
        if said["type"].is_null() {
            said["type"] = json!("acme.profile");
        }
        self.remember(memory, caller, said).await
    }

    async fn remember(&self, memory: &Memory, caller: &Caller, said: Value) -> Result<FactId, MemoryError> {
        let draft = Draft::from_json(said, caller.tenant())?;
        Ok(memory.remember(caller, None, draft).await?.fact)
    }
}
