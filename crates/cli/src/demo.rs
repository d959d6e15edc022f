//! `memory demo`: the story of a few facts, told by the command's own verbs on a store that goes away afterwards.

use std::io;

use tempfile::TempDir;
use truthkeeper::{BadInput, Caller, FactId, Filter, Id, Memory, State, Text, Times, Timestamp, limits};

use crate::error::CliError;
use crate::out;
use crate::run::{parse, run as command};

/// How far ahead the fact that begins later begins.
const AHEAD_DAYS: u32 = 30;

/// A store of its own. Dropping it removes the store.
struct Stage {
    folder: TempDir,
    db: String,
    caller: Caller,
}

pub(crate) async fn run() -> Result<(), CliError> {
    let stage = Stage::set()?;
    out::text("What an agent believes about Ana. The store of this story is removed at its end.")?;
    let (drink, first) = stage.correction().await?;
    stage.future().await?;
    stage.doubt().await?;
    stage.oblivion().await?;
    stage.past(drink, first).await?;
    stage.proof().await?;
    stage.folder.close().map_err(|error| CliError::Broken(error.to_string()))
}

impl Stage {
    fn set() -> Result<Self, CliError> {
        let folder = tempfile::Builder::new().prefix("truthkeeper-demo.").tempdir()?;
        let db = folder.path().join("memory.db").into_os_string().into_string();
        let db =
            db.map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "the temporary folder is not UTF-8"))?;
        let name = |name| Id::parse("demo", name);
        let caller = Caller::operator(name("local")?, name("demo")?);
        Ok(Self { folder, db, caller })
    }

    async fn correction(&self) -> Result<(FactId, Timestamp), CliError> {
        scene("A fact, and its correction. Only the newest version is recalled; both stay in the history.")?;
        self.write("drink", "Ana drinks tea in the morning", &[]).await?;
        let (drink, first) = self.newest("drink", State::Active).await?;
        self.write("drink", "Ana drinks coffee in the morning", &[]).await?;
        self.verb(&["recall", "what does Ana drink in the morning"]).await?;
        self.verb(&["facts", "revisions", &drink.to_string()]).await?;
        Ok((drink, first))
    }

    async fn future(&self) -> Result<(), CliError> {
        scene("A fact that begins next month. It is known now, and true only then.")?;
        let then = self.memory().await?.now(self.caller.tenant()).await?.plus_days(AHEAD_DAYS).to_string();
        let then = then.split_once('T').map_or(then.clone(), |(day, _)| format!("{day}T00:00:00Z"));
        self.write("city", "Ana lives in Lisbon", &["--valid-from", &then]).await?;
        self.verb(&["recall", "lives in Lisbon"]).await?;
        self.verb(&["facts", "list", "--key", "city", "--valid-at", &then]).await
    }

    async fn doubt(&self) -> Result<(), CliError> {
        scene(
            "An agent that is not sure. The owner has to settle it, and until then nobody is told either side.",
        )?;
        self.write("contact", "Ana wants to be reached by mail", &[]).await?;
        let (contact, _) = self.newest("contact", State::Active).await?;
        let doubt =
            ["--text", "Ana wants to be reached by phone", "--confidence", "0.6", "--evidence", "run:r7"];
        let fact = contact.to_string();
        let mut words = vec!["facts", "supersede", &fact, "--actor", "agent:desk@1.2"];
        words.extend(doubt);
        self.verb(&words).await?;
        self.verb(&["recall", "how to be reached"]).await?;
        scene("The owner looks at both versions and settles it. No machine can.")?;
        let (open, _) = self.memory().await?.conflicts(&self.caller, 1).await?;
        let open = open.first().ok_or_else(|| BadInput::new("demo", "no conflict is open"))?;
        let (conflict, version) = (open.conflict.to_string(), open.version.to_string());
        self.verb(&["conflicts", "show", &conflict]).await?;
        let settle = ["conflicts", "settle", &conflict, "--keep", "2", "--expect-conflict", &version];
        self.verb(&settle).await?;
        self.verb(&["recall", "how to be reached"]).await
    }

    async fn oblivion(&self) -> Result<(), CliError> {
        scene(
            "A fact that is forgotten. It leaves recall at once; it can be brought back, or erased for good.",
        )?;
        self.write("hobby", "Ana sings in a choir", &[]).await?;
        let (hobby, _) = self.newest("hobby", State::Active).await?;
        self.verb(&["facts", "forget", &hobby.to_string(), "--reason", "that was another Ana"]).await?;
        self.verb(&["recall", "choir"]).await?;
        self.verb(&["forgotten", "list"]).await?;
        self.verb(&["facts", "restore", &hobby.to_string()]).await?;
        self.verb(&["recall", "choir"]).await
    }

    async fn past(&self, fact: FactId, at: Timestamp) -> Result<(), CliError> {
        scene("What was known when the first version was recorded.")?;
        self.verb(&["facts", "get", &fact.to_string(), "--as-of", &at.exact()]).await
    }

    async fn proof(&self) -> Result<(), CliError> {
        scene("What goes into a prompt: data, never instructions.")?;
        self.verb(&["recall", "what does Ana drink", "--block"]).await?;
        scene("And the proof that nothing was changed behind the ledger's back.")?;
        self.verb(&["ledger", "check"]).await
    }

    async fn write(&self, key: &str, text: &str, more: &[&str]) -> Result<(), CliError> {
        let mut words = vec!["facts", "write", "--type", "acme.profile", "--key", key, "--text", text];
        words.extend(more);
        self.verb(&words).await
    }

    /// Shows a command and carries it out.
    async fn verb(&self, words: &[&str]) -> Result<(), CliError> {
        let shown: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        out::text(&format!("$ memory {}", shown.join(" ")))?;
        let place = ["memory", "--db", &self.db];
        let cli = parse(place.iter().chain(words)).map_err(|error| CliError::Broken(error.to_string()))?;
        command(cli).await
    }

    async fn memory(&self) -> Result<Memory, CliError> {
        Ok(Memory::open(&self.db).await?)
    }

    /// The fact with that key, and when its newest version was recorded.
    async fn newest(&self, key: &str, state: State) -> Result<(FactId, Timestamp), CliError> {
        let key = Some(Text::parse_name("key", key, limits::KEY_CHARS_MAX)?);
        let filter = Filter { key, state, ..Filter::current() };
        let page = self.memory().await?.list(&self.caller, &filter, Times::default(), None, 1).await?;
        let seen = page.items.first().ok_or_else(|| BadInput::new("demo", "the fact is not there"))?;
        Ok((seen.head.fact, seen.revision.recorded_at))
    }
}

fn scene(title: &str) -> Result<(), CliError> {
    out::text(&format!("\n# {title}"))
}

/// A word as it is typed in a shell.
fn quoted(word: &str) -> String {
    let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "-_.:/@".contains(c));
    if is_plain { word.to_owned() } else { format!("'{word}'") }
}
