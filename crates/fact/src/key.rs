//! Keys of the API: what one looks like, what it may do, and what it opens.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{
    Access, Actor, BadInput, Grants, Id, Reach, Reader, Scope, Sight, Text, Timestamp, Writer, hex, limits,
};

/// What every key begins with, so that a scanner for secrets finds one that got lost.
const PREFIX: &str = "mem_";
const ID_BYTES: usize = 8;
const SECRET_BYTES: usize = 32;
const CHECKSUM_DIGITS: usize = 8;

/// Names a key; it is no secret.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyId(String);

/// A key as whoever calls has it. `Debug` shows its id alone.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyToken {
    id: KeyId,
    secret: String,
}

/// One thing that a key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Right {
    /// Read facts.
    #[serde(rename = "facts:read")]
    FactsRead,
    /// Write, change and forget facts.
    #[serde(rename = "facts:write")]
    FactsWrite,
    /// Settle conflicts and see to what waits.
    #[serde(rename = "review")]
    Review,
    /// See how the whole install stands, which names owners of every tenant.
    #[serde(rename = "operate")]
    Operate,
    /// Everything in the tenant, whatever its scope.
    #[serde(rename = "admin")]
    Admin,
}

/// What a key may do, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Bounds {
    /// What it may do.
    pub rights: BTreeSet<Right>,
    /// The scopes it reads and does not write.
    pub reads: Vec<Scope>,
    /// The scopes it reads and writes. A project opens the facts of its end users and conversations: the key acts for them.
    pub writes: Vec<Scope>,
}

/// A key as it is kept: without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Its name in lists.
    pub id: KeyId,
    /// The tenant, whose facts alone it opens.
    pub tenant: Id,
    /// What it is for.
    pub label: Text,
    /// As whom it acts.
    pub actor: Actor,
    /// What it may do, and where.
    pub bounds: Bounds,
    /// When it was made.
    pub created_at: Timestamp,
    /// Since when it opens nothing.
    pub revoked_at: Option<Timestamp>,
}

impl KeyId {
    /// Reads 16 hexadecimal digits.
    pub fn parse(text: &str) -> Result<Self, BadInput> {
        match is_hex(text, ID_BYTES) {
            true => Ok(Self(text.to_owned())),
            false => Err(BadInput::new("key", "must be the id of a key: 16 digits from 0 to f")),
        }
    }

    /// The id as given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl KeyToken {
    /// A key of this randomness.
    pub fn new(id: [u8; ID_BYTES], secret: [u8; SECRET_BYTES]) -> Self {
        Self { id: KeyId(hex(&id)), secret: hex(&secret) }
    }

    /// Reads `mem_<id>_<secret><checksum>`; none where it is anything else, or mistyped.
    pub fn parse(text: &str) -> Option<Self> {
        let (id, rest) = text.strip_prefix(PREFIX)?.split_once('_')?;
        let (secret, _) = rest.split_at_checked(SECRET_BYTES * 2)?;
        if !is_hex(secret, SECRET_BYTES) {
            return None;
        }
        let token = Self { id: KeyId::parse(id).ok()?, secret: secret.to_owned() };
        (token.reveal() == text).then_some(token)
    }

    /// Which key it is.
    pub fn id(&self) -> &KeyId {
        &self.id
    }

    /// What is kept of its secret: SHA-256, which is enough for 256 random bits.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.secret.as_bytes()).into()
    }

    /// All of it, to be shown once.
    pub fn reveal(&self) -> String {
        let text = format!("{PREFIX}{}_{}", self.id, self.secret);
        let checksum = crc32(text.as_bytes());
        format!("{text}{checksum:0CHECKSUM_DIGITS$x}")
    }
}

impl fmt::Debug for KeyToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyToken").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Right {
    /// Every one of them.
    pub const ALL: [Self; 5] = [Self::FactsRead, Self::FactsWrite, Self::Review, Self::Operate, Self::Admin];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::FactsRead => "facts:read",
            Self::FactsWrite => "facts:write",
            Self::Review => "review",
            Self::Operate => "operate",
            Self::Admin => "admin",
        }
    }

    /// Reads a name.
    pub fn parse(name: &str) -> Result<Self, BadInput> {
        Self::ALL.into_iter().find(|right| right.name() == name).ok_or_else(|| {
            BadInput::new("right", "must be facts:read, facts:write, review, operate or admin")
        })
    }
}

impl Bounds {
    /// Refuses what opens nothing, too much for a query, or another tenant.
    pub fn check(self, tenant: &Id) -> Result<Self, BadInput> {
        if self.rights.is_empty() {
            return Err(BadInput::new("right", "is missing: the key could do nothing"));
        }
        let mut scopes = self.reads.iter().chain(&self.writes);
        if scopes.any(|scope| scope.tenant != *tenant) {
            return Err(BadInput::new("scope.tenantId", "is not the key's tenant"));
        }
        self.access_reader(tenant).check()?;
        Ok(self)
    }

    /// Whether it may do that: by that right, or as the tenant's admin, who is no operator of the install by that.
    pub fn allow(&self, right: Right) -> bool {
        self.rights.contains(&right) || (self.is_admin() && right != Right::Operate)
    }

    fn is_admin(&self) -> bool {
        self.rights.contains(&Right::Admin)
    }

    fn access_reader(&self, tenant: &Id) -> Reader {
        let mut access = Access::default();
        for scope in self.reads.iter().chain(&self.writes) {
            let Access { orgs, projects, people_of, users, participants, threads } = Access::of(scope);
            access.orgs.extend(orgs);
            access.projects.extend(projects);
            access.people_of.extend(people_of);
            access.users.extend(users);
            access.participants.extend(participants);
            access.threads.extend(threads);
        }
        access.people_of.extend(self.grants().projects);
        Reader { tenant: tenant.clone(), sight: Sight::Within(access) }
    }

    fn grants(&self) -> Grants {
        let mut grants = Grants::default();
        for scope in &self.writes {
            let Grants { admin_of_orgs, projects, participants, threads, users } = Grants::of(scope);
            grants.admin_of_orgs.extend(admin_of_orgs);
            grants.projects.extend(projects);
            grants.participants.extend(participants);
            grants.threads.extend(threads);
            grants.users.extend(users);
        }
        grants
    }
}

impl Key {
    /// What it may read. An operator's reads of everything are audited; those of another admin are not.
    pub fn reader(&self) -> Reader {
        let all = match self.actor {
            Actor::Operator { .. } => Sight::Operator,
            Actor::User { .. } | Actor::Agent { .. } | Actor::Migration { .. } | Actor::Service { .. } => {
                Sight::Admin
            }
        };
        match self.bounds.is_admin() {
            true => Reader { tenant: self.tenant.clone(), sight: all },
            false => self.bounds.access_reader(&self.tenant),
        }
    }

    /// Where it may write.
    pub fn writer(&self) -> Writer {
        let reach = match self.bounds.is_admin() {
            true => Reach::Admin,
            false => Reach::Within(self.bounds.grants()),
        };
        Writer { tenant: self.tenant.clone(), reach }
    }

    /// The label within its limits.
    pub fn label(text: &str) -> Result<Text, BadInput> {
        Text::parse_name("label", text, limits::KEY_CHARS_MAX)
    }
}

fn is_hex(text: &str, bytes: usize) -> bool {
    text.len() == bytes * 2 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// CRC-32 as in zip files: it tells a mistyped key from a revoked one to whoever holds it, and protects nothing.
fn crc32(bytes: &[u8]) -> u32 {
    /// The polynomial, its bits reversed.
    const POLYNOMIAL: u32 = 0xedb8_8320;
    let step = |crc: u32| if crc & 1 == 1 { (crc >> 1) ^ POLYNOMIAL } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}
