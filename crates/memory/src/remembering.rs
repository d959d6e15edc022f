//! What an agent remembers through its tool: in a scope that its run has and the model never names.

use fact::{
    Actor, BadInput, Case, Draft, Evidence, EvidenceKind, FactType, Id, Near, Proposal, Provenance,
    RequestKey, Retention, Run, Scope, Subject, Target, Timestamp,
};
use ledger::Sought;
use recall::Warning;
use reconcile::{Barrier, Refusal, Remembered};
use serde_json::json;

use crate::act::{DECISIONS_MAX, check_write, moment, sought};
use crate::{Caller, Memory, MemoryError, Receipt, fresh};

/// Days for which what an agent remembers is kept, where its declaration does not say.
pub const KEEP_DAYS_DEFAULT: u32 = 30;

/// What an agent may remember, as it is declared: never by the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remember {
    /// The kinds of facts, of which the model picks one.
    pub types: Vec<FactType>,
    /// For whom.
    pub near: Near,
    /// Days for which it is kept, unless a person verifies it: 1 to 3,650.
    pub keep_days: u32,
}

/// The call of the tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// The run.
    pub run: Id,
    /// The step of the run.
    pub step: Option<Id>,
    /// The call, by which it is answered again.
    pub call: Id,
    /// The agent. Where the caller is one, it is that one.
    pub agent: Id,
    /// Its version.
    pub version: Option<Id>,
}

/// What the model chose.
#[derive(Debug, Clone, PartialEq)]
pub struct Memo {
    /// The kind of fact.
    pub kind: FactType,
    /// What it says: up to 2,000 characters.
    pub text: String,
    /// A slot of the agent's own for that kind and scope: the same key replaces its earlier value.
    pub key: Option<String>,
    /// Until when it is true.
    pub valid_until: Option<Timestamp>,
}

/// A request to remember something, once it is known where it goes.
struct Noted<'a> {
    speaker: Caller,
    run: &'a Run,
    scope: Scope,
    draft: Draft,
    keep_days: u32,
    waits: bool,
}

impl Memory {
    /// Remembers something for an agent: unverified, in the name of its version and call, and for as many days as it is
    /// declared, unless a person verifies it. What is for more than one person, or reads like an instruction, waits for a
    /// person, and no read sees it. The same call of the same run is answered again.
    pub async fn remember_by_tool(
        &self,
        caller: &Caller,
        declared: &Remember,
        run: &Run,
        call: &ToolCall,
        memo: &Memo,
    ) -> Result<Receipt, MemoryError> {
        if run.scope().tenant != *caller.tenant() {
            return Err(BadInput::new("run.tenantId", "is not the caller's tenant").into());
        }
        let noted = self.noted(caller, declared, run, call, memo)?;
        noted.check_write()?;
        let key = self.key_of_call(run, call).await?;
        let meaning = json!({
            "near": declared.near.name(), "keepDays": declared.keep_days, "run": run.scope(),
            "draft": noted.draft.to_json(),
        });
        let asked = self.asked(&noted.speaker, Some(key), "remember", &meaning)?;
        if let Some(receipt) = self.replayed(&asked).await? {
            return Ok(receipt);
        }
        for _ in 0..DECISIONS_MAX {
            let now = self.now(caller.tenant()).await?;
            let proposal = noted.proposal(now)?;
            let case = self.case_of(&noted, &proposal).await?;
            let remembered = Remembered { proposal: &proposal, waits: noted.waits };
            let moment = moment(&noted.speaker, now, None);
            let decision = reconcile::remember(case.as_ref(), remembered, &self.policy, &moment)?;
            if let Some(receipt) = self.record(&asked, now, decision).await? {
                return Ok(receipt);
            }
        }
        Err(MemoryError::Contention)
    }

    /// Checks what was declared and what the model chose, and looks for secrets in it.
    fn noted<'a>(
        &self,
        caller: &Caller,
        declared: &Remember,
        run: &'a Run,
        call: &ToolCall,
        memo: &Memo,
    ) -> Result<Noted<'a>, MemoryError> {
        reconcile::check_days(declared.keep_days)?;
        reconcile::check_text(&memo.text)?;
        if !declared.types.contains(&memo.kind) {
            return Err(BadInput::new("fact.type", "must be one of declaration.types").into());
        }
        let speaker = Caller { actor: speaker(caller, call)?, ..caller.clone() };
        let scope = reconcile::place_of(run, declared.near);
        let lacks = || Warning::of(declared.near).map_or(MemoryError::NotPermitted, MemoryError::RunLacks);
        let scope = scope.ok_or_else(lacks)?;
        let draft = self.screen.draft(drafted(declared, run, call, memo, &scope))?;
        let text = draft.content.as_ref().and_then(|content| content["text"].as_str()).unwrap_or_default();
        let waits = reconcile::waits(declared.near, text, draft.key.as_deref());
        Ok(Noted { speaker, run, scope, draft, keep_days: declared.keep_days, waits })
    }

    /// The name of a request, which follows from the run and its call.
    async fn key_of_call(&self, run: &Run, call: &ToolCall) -> Result<RequestKey, MemoryError> {
        let scope = run.scope();
        let text = serde_json::to_string(&("remember", scope, &call.run, &call.call)).unwrap_or_default();
        let name = self.ledger.name_of(&scope.tenant, fresh::entropy()?, &text).await?;
        Ok(RequestKey::parse(&format!("remember-{name}"))?)
    }

    /// The fact that it is about, with everything that was ever held back of it where it is to wait.
    async fn case_of(&self, noted: &Noted<'_>, proposal: &Proposal) -> Result<Option<Case>, MemoryError> {
        let reader = &noted.speaker.reader;
        let mut case = self.ledger.case(reader, &sought(proposal, &noted.speaker)).await?;
        if !noted.waits {
            return Ok(case);
        }
        if let Some(case) = &mut case {
            case.said_again = self.ledger.held_of(&reader.tenant, &case.head).await?;
        } else if let (Target::Place { kind, scope }, None) = (&proposal.target, &proposal.key) {
            // Without a key, what waits is found by what it says.
            for fact in self.ledger.unapproved(&reader.tenant, kind, scope).await? {
                let found = self.ledger.case(reader, &Sought::Proposed(fact)).await?;
                if let Some(found) = found.filter(|found| is_same(found, noted, proposal)) {
                    return Ok(Some(found));
                }
            }
        }
        Ok(case)
    }
}

/// Whether the same agent proposed the same before.
fn is_same(case: &Case, noted: &Noted<'_>, proposal: &Proposal) -> bool {
    let statement = proposal.content.statement();
    case.said_again.iter().any(|said| {
        let proposed = &said.proposed;
        proposed.author().keeper() == noted.speaker.actor.keeper()
            && proposed.content().is_some_and(|content| content.statement() == statement)
    })
}

impl Noted<'_> {
    /// Whoever may write for a run may propose for more than it; who approves is whoever may write there.
    fn check_write(&self) -> Result<(), MemoryError> {
        let is_proposed = self.waits && check_write(&self.speaker, self.run.scope()).is_ok();
        if is_proposed { Ok(()) } else { check_write(&self.speaker, &self.scope) }
    }

    /// The statement, kept from now on.
    fn proposal(&self, now: Timestamp) -> Result<Proposal, BadInput> {
        let keep_until = Some(now.plus_days(self.keep_days));
        let retention = Some(Retention { keep_days: None, keep_until, unless_verified: true });
        Proposal::parse(Draft { retention, ..self.draft.clone() }, self.speaker.tenant(), now)
    }
}

/// In whose name it is said: the agent's whose key it is, or that of an agent that a service runs.
fn speaker(caller: &Caller, call: &ToolCall) -> Result<Actor, MemoryError> {
    let named = |version: &Option<Id>| Actor::Agent { id: call.agent.clone(), version: version.clone() };
    match &caller.actor {
        Actor::Agent { id, .. } if *id != call.agent => {
            Err(BadInput::new("call.agentId", "is not the agent that the caller is").into())
        }
        Actor::Agent { version, .. }
            if version.is_some() && call.version.is_some() && *version != call.version =>
        {
            Err(BadInput::new("call.agentVersion", "is not the version that the caller is").into())
        }
        Actor::Agent { version, .. } => Ok(named(if version.is_some() { version } else { &call.version })),
        Actor::Service { .. } => Ok(named(&call.version)),
        Actor::User { .. } | Actor::Operator { .. } | Actor::Migration { .. } => {
            Err(Refusal::NotPermitted { why: Barrier::AgentOnly }.into())
        }
    }
}

fn drafted(declared: &Remember, run: &Run, call: &ToolCall, memo: &Memo, scope: &Scope) -> Draft {
    let content = match &memo.key {
        Some(key) => json!({ "key": key, "text": memo.text }),
        None => json!({ "text": memo.text }),
    };
    let ToolCall { run: run_id, step, call, .. } = call;
    let evidence = Evidence { kind: EvidenceKind::Run, id: run_id.clone(), digest: None, quote: None };
    Draft {
        kind: Some(memo.kind.as_str().to_owned()),
        scope: Some(scope.clone()),
        key: memo.key.clone(),
        content: Some(content),
        evidence: vec![evidence],
        subjects: subjects(declared.near, run.scope()),
        valid_until: memo.valid_until,
        provenance: Provenance {
            run: Some(run_id.clone()),
            step: step.clone(),
            tool_call: Some(call.clone()),
            ..Provenance::default()
        },
        ..Draft::default()
    }
}

/// Whom it is about: the person of the run, where it is kept for one.
fn subjects(near: Near, scope: &Scope) -> Option<Vec<Subject>> {
    let is_narrow = match near {
        Near::SameUser | Near::SameConversation => true,
        Near::SameProject | Near::Tenant => false,
    };
    let (kind, id) = match (&scope.participant, &scope.user) {
        (Some(participant), _) => ("participant", participant),
        (None, Some(user)) => ("user", user),
        (None, None) => return None,
    };
    let kind = Id::parse("subjects.kind", kind).ok()?;
    is_narrow.then(|| vec![Subject { kind, id: id.clone() }])
}
