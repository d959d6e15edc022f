//! A memory from before the ledger, as its source tells it. It is no fact: nobody has said that it is true now.

use serde::{Deserialize, Serialize};

use crate::{Confidence, FactId, FactType, Scope, Text, Timestamp};

/// Which program kept it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LegacySource {
    /// A Markdown file, or a folder of them.
    Markdown,
    /// An export of mem0, or its SQLite history.
    Mem0,
    /// The JSONL graph of the MCP reference memory server.
    McpMemory,
    /// A memory folder of Claude Code.
    ClaudeCode,
    /// A memory folder of Codex.
    Codex,
    /// ChatGPT's memories as text.
    Chatgpt,
    /// Claude's memories as text.
    Claude,
    /// Our own plain form: one JSON object a line.
    Ndjson,
    /// A folder of Qdrant's local mode, as its Python client keeps it.
    QdrantLocal,
}

/// How it came to be remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LegacyOrigin {
    /// A model took it from a conversation.
    Extracted,
    /// It records something that happened.
    Episode,
    /// It was brought over from another place before.
    Migration,
    /// Somebody chose to save it.
    Explicit,
    /// Nobody knows.
    Unknown,
}

/// One memory, as its source tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Legacy {
    /// Which program kept it.
    pub source: LegacySource,
    /// Where in the source it stands: an id, or a path below the folder that was given, with a heading or line.
    pub place: Text,
    /// What it says.
    pub text: Text,
    /// What kind of fact it would be, where the source says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<FactType>,
    /// The key that it had, where the source has keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Text>,
    /// Its tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Text>,
    /// How it came to be remembered.
    pub origin: LegacyOrigin,
    /// Whose it is by the source's own account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Text>,
    /// The project it belongs to by the source's own account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<Text>,
    /// How sure its author was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// When it was last written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written_at: Option<Timestamp>,
    /// From when it is true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Timestamp>,
    /// Until when it is true, that instant not included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Timestamp>,
    /// Fields of the source that are not as they must be, such as a time without a zone: their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub malformed: Vec<Text>,
}

impl Legacy {
    /// A memory of which no more is known than its words, and where they come from.
    pub fn new(source: LegacySource, origin: LegacyOrigin, place: Text, text: Text) -> Self {
        Self {
            source,
            place,
            text,
            kind: None,
            key: None,
            tags: Vec::new(),
            origin,
            owner: None,
            project: None,
            confidence: None,
            written_at: None,
            valid_from: None,
            valid_until: None,
            malformed: Vec::new(),
        }
    }
}

impl LegacySource {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Markdown,
        Self::Mem0,
        Self::McpMemory,
        Self::ClaudeCode,
        Self::Codex,
        Self::Chatgpt,
        Self::Claude,
        Self::Ndjson,
        Self::QdrantLocal,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Mem0 => "mem0",
            Self::McpMemory => "mcp-memory",
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Chatgpt => "chatgpt",
            Self::Claude => "claude",
            Self::Ndjson => "ndjson",
            Self::QdrantLocal => "qdrant-local",
        }
    }

    /// Reads a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.name() == name)
    }
}

impl LegacyOrigin {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Extracted => "extracted",
            Self::Episode => "episode",
            Self::Migration => "migration",
            Self::Explicit => "explicit",
            Self::Unknown => "unknown",
        }
    }

    /// Whether people are shown what came so. What nobody knows the origin of is not.
    pub fn is_visible(self) -> bool {
        match self {
            Self::Extracted | Self::Episode | Self::Migration | Self::Explicit => true,
            Self::Unknown => false,
        }
    }
}

/// A legacy row: a memory from before the ledger as it was brought in, for the readers of a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegacyRow {
    /// Its id, which follows from the source, the scope and what it says: see `FactId::is_legacy`.
    pub row: FactId,
    /// Whose it becomes.
    pub scope: Scope,
    /// What its source tells of it.
    pub legacy: Legacy,
    /// When it was brought in.
    pub imported_at: Timestamp,
    /// How it stands.
    pub standing: Standing,
}

/// What a review decided about a legacy row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LegacyDecision {
    /// A fact rests on it.
    Adopted,
    /// It stays as it is, a record of something that happened.
    Kept,
    /// It is no memory.
    Rejected,
    /// Another review is to decide.
    Deferred,
}

/// What the ledger has of a legacy row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Held {
    /// Nothing.
    #[default]
    Nothing,
    /// The same owner's facts say the same, be it current, contested or over: then the ledger decides.
    Said,
    /// A fact rests on it.
    Cited,
}

/// How a legacy row stands towards the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standing {
    /// Whether a review of its owner's rows was applied, or has begun to be.
    pub is_reconciled: bool,
    /// What the ledger has of it.
    pub held: Held,
    /// What the last review of it decided.
    pub decision: Option<LegacyDecision>,
    /// What was noted then.
    pub note: Option<Text>,
    /// Whether an adoption of it was taken back.
    pub was_rolled_back: bool,
}

/// Why a legacy row is not recalled: the first that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unadmitted {
    /// Its owner has applied a review.
    Reconciled,
    /// Nobody knows how it came to be remembered.
    Hidden,
    /// A fact rests on it.
    Cited,
    /// The ledger says it itself, and knows whether it is true: it may be contested, corrected or forgotten.
    Said,
    /// By its source it is of a project that its scope does not name.
    Foreign,
    /// A review rejected it.
    Rejected,
    /// Its time is over, or has not begun.
    Lapsed,
}

impl LegacyDecision {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Adopted, Self::Kept, Self::Rejected, Self::Deferred];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Adopted => "adopted",
            Self::Kept => "kept",
            Self::Rejected => "rejected",
            Self::Deferred => "deferred",
        }
    }

    /// Reads a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|decision| decision.name() == name)
    }
}

impl Unadmitted {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reconciled => "reconciled",
            Self::Hidden => "hidden",
            Self::Cited => "cited",
            Self::Said => "said",
            Self::Foreign => "foreign-project",
            Self::Rejected => "rejected",
            Self::Lapsed => "lapsed",
        }
    }
}

impl Legacy {
    /// What kind of fact it is looked for as.
    pub fn kind(&self) -> FactType {
        self.kind.clone().unwrap_or_else(FactType::legacy_note)
    }

    /// Its place, where that is an id or a file of its own: no other memory of the source stands there.
    pub fn sole_place(&self) -> Option<&str> {
        let place = self.place.as_str();
        (self.origin_place() == place && !place.contains('#')).then_some(place)
    }

    /// Its place without the line that it stands in, which moves when others are written before it.
    pub fn origin_place(&self) -> &str {
        let place = self.place.as_str();
        match place.rsplit_once(':') {
            Some((before, line)) if !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit()) => before,
            Some(_) | None => place,
        }
    }
}

impl Standing {
    /// Whether a review is still to decide about it.
    pub fn is_open(&self) -> bool {
        match self.decision {
            None | Some(LegacyDecision::Deferred) => self.held != Held::Cited,
            Some(LegacyDecision::Adopted | LegacyDecision::Kept | LegacyDecision::Rejected) => false,
        }
    }
}

impl LegacyRow {
    /// Whether it may be recalled at `now`, as what it is: never as current truth.
    pub fn admission(&self, now: Timestamp) -> Result<(), Unadmitted> {
        match self.copied(now) {
            Ok(()) if self.standing.held == Held::Said => Err(Unadmitted::Said),
            copied => copied,
        }
    }

    /// Whether it has a copy to be found by. What the ledger says itself is told apart when it is found.
    pub fn copied(&self, now: Timestamp) -> Result<(), Unadmitted> {
        let Standing { is_reconciled, held, decision, .. } = self.standing;
        let Legacy { origin, valid_from, valid_until, .. } = &self.legacy;
        let lasts = valid_from.is_none_or(|from| from <= now) && valid_until.is_none_or(|until| now < until);
        let refused = match decision {
            _ if held == Held::Cited => Some(Unadmitted::Cited),
            Some(LegacyDecision::Kept) => None,
            Some(LegacyDecision::Adopted) => Some(Unadmitted::Cited),
            Some(LegacyDecision::Rejected) => Some(Unadmitted::Rejected),
            // Only a review defers: whatever became of its record, it was applied.
            Some(LegacyDecision::Deferred) => Some(Unadmitted::Reconciled),
            None if is_reconciled => Some(Unadmitted::Reconciled),
            None if !origin.is_visible() => Some(Unadmitted::Hidden),
            None if self.is_of_another_project() => Some(Unadmitted::Foreign),
            None => None,
        };
        match refused {
            Some(why) => Err(why),
            None if lasts => Ok(()),
            None => Err(Unadmitted::Lapsed),
        }
    }

    fn is_of_another_project(&self) -> bool {
        let named = self.scope.project.as_ref().map(|id| id.as_str());
        self.legacy.project.as_ref().is_some_and(|project| named != Some(project.as_str()))
    }

    /// When the clock alone changes that.
    pub fn next_turn(&self, now: Timestamp) -> Option<Timestamp> {
        let Legacy { valid_from, valid_until, .. } = &self.legacy;
        [*valid_from, *valid_until].into_iter().flatten().filter(|turn| *turn > now).min()
    }
}
