//! A memory from before the ledger, as its source tells it. It is no fact: nobody has said that it is true now.

use serde::{Deserialize, Serialize};

use crate::{Confidence, FactType, Text, Timestamp};

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
