//! What is over and can be restored, what the clock ended, and forgetting many at once.

use fact::{
    Actor, BadInput, Case, Change, Container, FactId, Id, RequestKey, RevisionNumber, Scope, Text, canonical,
    limits,
};
use ledger::{Cursor, Ended, Filter, Instant, Record, RecordError, Seen, Sought};
use reconcile::{Moment, Refusal};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{Caller, Memory, MemoryError, fresh, once};

/// Facts whose end is put on record in one transaction.
const SWEEP_FACTS: u32 = 100;
/// Facts looked at together when many are forgotten.
const PAGE_FACTS: usize = limits::PAGE_ITEMS_MAX;

/// A fact that is over, as it can be restored.
#[derive(Debug, Clone, PartialEq)]
pub struct Forgotten {
    /// The revision that stood last.
    pub seen: Seen,
    /// How it ended.
    pub ended: Ended,
}

/// A page of them.
#[derive(Debug, Clone)]
pub struct ForgottenPage {
    /// The facts, the newest revision first.
    pub items: Vec<Forgotten>,
    /// Where the next page begins; none when this was the last.
    pub next: Option<Cursor>,
}

/// What forgetting many came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Forgot {
    /// Facts that were forgotten now; each can be restored.
    pub forgotten: u64,
    /// Facts that stay because they are under legal hold.
    pub held: u64,
    /// Facts that stay because the caller may not write them.
    pub not_permitted: u64,
    /// Open conflicts of the same owner, which stay.
    pub conflicts: u64,
    /// Memories from before the ledger, which are gone for ever.
    pub legacy: u64,
    /// Whether the same request was answered before, which changed nothing now.
    #[serde(skip)]
    pub replayed: bool,
}

impl Memory {
    /// What was forgotten and what ran out, with when, why and by whom. At most 100 a page.
    pub async fn forgotten(
        &self,
        caller: &Caller,
        filter: &Filter,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<ForgottenPage, MemoryError> {
        let now = self.now(caller.tenant()).await?;
        self.audit(caller, "forgotten", None, now).await;
        let page = self.ledger.forgotten(&caller.reader, filter, now, after, limit).await?;
        let mut items = Vec::with_capacity(page.items.len());
        for seen in page.items {
            if let Some(ended) = self.ledger.ended(caller.tenant(), &seen.head, now).await? {
                items.push(Forgotten { seen, ended });
            }
        }
        Ok(ForgottenPage { items, next: page.next })
    }

    /// Puts the ends that the clock made on record, and lets go of receipts that are over. Recall does not wait for it.
    /// Gives how many facts it ended.
    pub async fn sweep(&self, tenant: &Id) -> Result<u64, MemoryError> {
        self.ledger.expire_receipts(tenant.clone(), self.now(tenant).await?).await?;
        let actor = Actor::Service { id: Id::parse("id", "sweep")? };
        let (mut swept, mut after) = (0, None);
        loop {
            let now = self.now(tenant).await?;
            let lapsed = self.ledger.lapsed(tenant, after, now, SWEEP_FACTS).await?;
            let Some(last) = lapsed.last().copied() else { break };
            swept += self.expire(tenant, &actor, lapsed).await?;
            after = Some(last);
        }
        if swept > 0 {
            self.catch_up(self.now(tenant).await?).await;
        }
        Ok(swept)
    }

    /// Forgets every current fact that the filter names, of one owner or of everybody whom the caller may write; each
    /// can be restored. What changes meanwhile is looked at again. Conflicts and what is under legal hold stay. Memories
    /// from before the ledger that the filter names are no facts, and are let go of for ever. The same request with the
    /// same key is answered again.
    pub async fn forget_all(
        &self,
        caller: &Caller,
        key: Option<RequestKey>,
        filter: &Filter,
        owner: Option<&Container>,
        reason: Option<&str>,
    ) -> Result<Forgot, MemoryError> {
        if filter.state != fact::State::Active {
            return Err(
                BadInput::new("state", "must be active: only what is current can be forgotten").into()
            );
        }
        let reason = self.said("reason", reason)?;
        let reason =
            reason.map(|reason| Text::parse("reason", &reason, limits::REASON_CHARS_MAX)).transpose()?;
        let Filter { kind, scope, key: of_key, tag, state: _ } = filter;
        let owned = owner.map(Container::token);
        let meaning = json!({
            "type": kind, "scope": scope, "key": of_key, "tag": tag, "owner": owned, "reason": reason,
        });
        let asked = self.asked(caller, key, "delete-all", &meaning)?;
        if let Some(answer) = self.answered(&asked).await? {
            return forgot_before(&answer);
        }
        let is_owners = |scope: &Scope| owner.is_none_or(|owner| scope.anchor() == *owner);
        let (mut forgot, mut after) = (Forgot::default(), None);
        loop {
            let now = self.now(caller.tenant()).await?;
            let page = self
                .ledger
                .list(&caller.reader, filter, Instant::now(now), after.as_ref(), PAGE_FACTS)
                .await?;
            for seen in page.items.iter().filter(|seen| is_owners(&seen.head.scope)) {
                self.forget_as_seen(caller, filter, seen, reason.as_ref(), &mut forgot).await?;
            }
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        forgot.legacy = self.drop_legacy(caller, filter, owner).await?;
        let open = self.ledger.open_conflicts(&caller.reader, &[], usize::MAX).await?.0;
        let theirs = open.iter().filter(|conflict| is_owners(&conflict.scope)).count();
        forgot.conflicts = u64::try_from(theirs).unwrap_or(u64::MAX);
        match self.answer_once(&asked, &canonical(&forgot)).await? {
            Some(before) => forgot_before(&before),
            None => Ok(forgot),
        }
    }

    /// Forgets a fact as long as it is the revision that the filter named. A newer one is forgotten where the filter
    /// names that too.
    async fn forget_as_seen(
        &self,
        caller: &Caller,
        filter: &Filter,
        seen: &Seen,
        reason: Option<&Text>,
        forgot: &mut Forgot,
    ) -> Result<(), MemoryError> {
        let (fact, mut expected) = (seen.head.fact, Some(seen.revision.number));
        while let Some(number) = expected.take() {
            let meaning = json!({ "fact": fact, "expectVersion": number, "reason": reason });
            let asked = self.asked(caller, None, "delete", &meaning)?;
            let rule = |case: &Case, moment: &Moment<'_>| {
                reconcile::retract(case, Some(number), reason.cloned(), moment)
            };
            match self.act(asked, fact, rule).await {
                Ok(_) => forgot.forgotten += 1,
                Err(MemoryError::Refused(Refusal::LegalHold)) => forgot.held += 1,
                Err(MemoryError::NotPermitted) => forgot.not_permitted += 1,
                Err(MemoryError::Refused(Refusal::Changed { .. })) => {
                    expected = self.named_again(caller, filter, fact).await?;
                }
                // It ended, or became contested, before we came.
                Err(MemoryError::Refused(_) | MemoryError::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The current revision of a fact that changed, where the filter names it still.
    async fn named_again(
        &self,
        caller: &Caller,
        filter: &Filter,
        fact: FactId,
    ) -> Result<Option<RevisionNumber>, MemoryError> {
        let now = self.now(caller.tenant()).await?;
        let seen = self.ledger.get(&caller.reader, fact, Instant::now(now)).await?;
        Ok(seen.filter(|seen| filter.names(seen)).map(|seen| seen.revision.number))
    }

    /// Records the end of each of these facts that is over, all in one transaction; again where one changed meanwhile.
    async fn expire(&self, tenant: &Id, actor: &Actor, facts: Vec<FactId>) -> Result<u64, MemoryError> {
        let reader = fact::Reader { tenant: tenant.clone(), sight: fact::Sight::Admin };
        loop {
            let now = self.now(tenant).await?;
            let mut change = Change { grounds: Vec::new(), events: Vec::new() };
            for fact in &facts {
                if let Some(case) = self.ledger.case(&reader, &Sought::Fact(*fact)).await? {
                    let moment = Moment { now, actor, fresh: fresh::ids(), sources: None };
                    let decided = reconcile::expire(&case, &moment)?.change;
                    if !decided.events.is_empty() {
                        change.grounds.extend(decided.grounds);
                        change.events.extend(decided.events);
                    }
                }
            }
            let ended = u64::try_from(change.events.len()).unwrap_or(u64::MAX);
            if ended == 0 {
                return Ok(0);
            }
            let (tenant, actor) = (tenant.clone(), actor.clone());
            let entropy = fresh::entropy()?;
            let record = Record { tenant, actor, now, entropy, change, request: None, lease: None };
            match self.ledger.record(record).await {
                Ok(_) => return Ok(ended),
                Err(RecordError::Stale) => tokio::task::yield_now().await,
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// What forgetting many came to before.
fn forgot_before(answer: &str) -> Result<Forgot, MemoryError> {
    Ok(Forgot { replayed: true, ..once::read(answer)? })
}
