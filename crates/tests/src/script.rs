//! The acts of a writer that may die at any moment. The same number is always the same act, so that whoever comes
//! after it knows what was done, and can ask again for the one whose answer is not known.

use std::collections::BTreeMap;

use serde_json::json;
use truthkeeper::{Actor, Caller, Draft, FactId, Id, Memory, MemoryError, RequestKey, RevisionNumber};

/// What the script says the memory is for.
pub const TENANT: &str = "orchard";
const KIND: &str = "acme.harvest";
/// Acts about one fact, or the whole.
pub const ACTS_OF_A_GROUP: u32 = 5;

/// One act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// A fact with a key.
    Create,
    /// Its next revision.
    Supersede,
    /// A person vouches for it: the same words as another revision.
    Verify,
    /// It is forgotten.
    Forget,
    /// The words of its first revision are erased.
    Erase,
    /// An agent contradicts it on no evidence.
    Contradict,
    /// A fact without a key.
    CreateUnkeyed,
    /// The tables are made anew.
    Rebuild,
}

/// The act of that number, and the group it belongs to.
pub fn act(number: u32) -> (u32, Act) {
    let group = number / ACTS_OF_A_GROUP;
    let act = match (number % ACTS_OF_A_GROUP, group % 3, group % 2) {
        (0, _, _) => Act::Create,
        (1, _, _) => Act::Supersede,
        (2, _, _) => Act::Verify,
        (3, 0, _) => Act::Forget,
        (3, 1, _) => Act::Erase,
        (3, _, _) => Act::Contradict,
        (_, _, 0) => Act::CreateUnkeyed,
        (_, _, _) => Act::Rebuild,
    };
    (group, act)
}

/// A word that only this group has, and that no stemmer cuts.
pub fn word(group: u32) -> String {
    let digits = ["ba", "do", "fu", "ga", "ko", "mu", "pa", "to"];
    let digit = |place: u32| digits[usize::try_from(group / 8_u32.pow(place) % 8).unwrap_or(0)];
    format!("{}{}{}k", digit(2), digit(1), digit(0))
}

/// What a group says, in the order of its revisions.
pub fn words(group: u32, act: Act) -> String {
    let word = word(group);
    match act {
        Act::Create => format!("{word} is ripe"),
        Act::Supersede | Act::Verify => format!("{word} is dry"),
        Act::Contradict => format!("{word} is sour"),
        Act::CreateUnkeyed => format!("a {word} of another kind"),
        Act::Forget | Act::Erase | Act::Rebuild => String::new(),
    }
}

/// The memory that the script is followed on, with the facts of its groups.
pub struct Script {
    /// The memory.
    pub memory: Memory,
    /// The keyed fact of each group.
    pub facts: BTreeMap<u32, FactId>,
}

impl Script {
    /// Follows the act of that number. Asked again, it is done once.
    pub async fn follow(&mut self, number: u32) -> Result<Option<FactId>, MemoryError> {
        let (group, act) = act(number);
        let key = Some(RequestKey::parse(&format!("act {number}"))?);
        let user = caller()?;
        let memory = &self.memory;
        let known = || self.facts.get(&group).copied().ok_or(MemoryError::NotFound);
        let receipt = match act {
            Act::Create | Act::Supersede | Act::CreateUnkeyed => {
                memory.remember(&user, key, draft(group, act)).await?
            }
            Act::Contradict => {
                let agent = Actor::Agent { id: Id::parse("id", "helper")?, version: None };
                let draft = Draft { fact: Some(known()?), kind: None, key: None, ..draft(group, act) };
                memory.remember(&Caller { actor: agent, ..user }, key, draft).await?
            }
            Act::Verify => memory.verify(&user, key, known()?, None).await?,
            Act::Forget => memory.forget(&user, key, known()?, None, Some("eaten")).await?,
            Act::Erase => {
                memory.erase(&user, key, known()?, Some(RevisionNumber::FIRST)).await?;
                return Ok(self.facts.get(&group).copied());
            }
            Act::Rebuild => {
                memory.rebuild(|_| {}).await?;
                return Ok(None);
            }
        };
        if act == Act::Create {
            self.facts.insert(group, receipt.fact);
        }
        Ok(Some(receipt.fact))
    }
}

fn draft(group: u32, act: Act) -> Draft {
    let key = (act != Act::CreateUnkeyed).then(|| word(group));
    Draft { kind: Some(KIND.to_owned()), key, content: Some(json!(words(group, act))), ..Draft::default() }
}

/// A person who reads and writes everything, without the audit of an operator's reads.
pub fn caller() -> Result<Caller, MemoryError> {
    let tenant = Id::parse("tenant", TENANT)?;
    let mut caller = Caller::operator(tenant, Id::parse("id", "olga")?);
    caller.reader.sight = truthkeeper::Sight::Admin;
    Ok(caller)
}
