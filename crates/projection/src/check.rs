//! Checks the copy against the ledger, keeps what was found, and orders what drifted to be made again.

use std::collections::{BTreeMap, BTreeSet};

use fact::{Container, FactId, Id, Scope, Timestamp};
use index::{Damage, Entry, Span};
use ledger::{CopyReport, Drift, Drifted, Inspection};

use crate::drift::{Likeness, Wanted, compare};
use crate::plan::Image;
use crate::{Desk, ProjectionError, Projector};

/// Facts compared at a time.
const SPAN_FACTS: u32 = 256;

/// What a check of a tenant, or of one of its owners, found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Everything together.
    pub total: CopyReport,
    /// By the name of the owner.
    pub owners: BTreeMap<String, CopyReport>,
    /// What is wrong with the index beyond single rows.
    pub damage: Vec<Damage>,
}

impl Checked {
    /// Whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.total.is_clean() && self.damage.is_empty()
    }
}

/// How far a check has come.
struct Walk<'a> {
    tenant: &'a Id,
    owner: Option<&'a Container>,
    after: Option<FactId>,
    over: bool,
}

/// The facts and rows of a span, and whose they are.
struct Seen {
    wanted: BTreeMap<FactId, Wanted>,
    entries: Vec<Entry>,
    scopes: BTreeMap<FactId, Scope>,
}

impl Seen {
    /// The name of whose a fact is, or what its row says where the ledger does not know it.
    fn owner(&self, fact: FactId, entry: Option<&Entry>) -> String {
        let scope = self.scopes.get(&fact).or(entry.map(|entry| &entry.scope));
        scope.map_or_else(|| Container::Tenant.to_string(), |scope| scope.anchor().to_string())
    }
}

impl Projector {
    /// Compares rows with the ledger, and keeps a report for each owner. `progress` is told how many facts are done.
    ///
    /// What is due to be written is not drift. The last report stays when the check fails.
    pub async fn check(
        &self,
        tenant: &Id,
        owner: Option<&Container>,
        now: Timestamp,
        progress: impl Fn(u64) + Send,
    ) -> Result<Checked, ProjectionError> {
        let desk = &self.desk;
        // Read before any row, so that what is written meanwhile counts as later.
        let changes = desk.ledger.changes(tenant).await?;
        let mut owners = BTreeMap::new();
        if let Some(owner) = owner {
            owners.insert(owner.to_string(), CopyReport::default());
        }
        let mut walk = Walk { tenant, owner, after: None, over: false };
        let mut done = 0;
        while let Some(seen) = desk.look(&mut walk, now).await? {
            desk.count(&seen, &mut owners);
            for (owner, drifted) in desk.drifted(tenant, &seen, now).await? {
                owners.entry(owner).or_default().add(drifted);
            }
            done += u64::try_from(seen.scopes.len()).unwrap_or(u64::MAX);
            progress(done);
        }
        let damage = desk.index.damage().await.map_err(ProjectionError::Index)?;
        let damaged = u64::try_from(damage.len()).unwrap_or(u64::MAX);
        owners.values_mut().for_each(|report| report.damage = damaged);
        let mut total = CopyReport::default();
        owners.values().for_each(|report| total.merge(report));
        let inspection = Inspection { whole: owner.is_none(), at: now, changes, owners: owners.clone() };
        desk.ledger.report(tenant.clone(), inspection).await?;
        Ok(Checked { total, owners, damage })
    }

    /// Makes the rows of everything that drifted again. Gives how many facts that are. What failed stays failed.
    pub async fn repair(
        &self,
        tenant: &Id,
        owner: Option<&Container>,
        now: Timestamp,
        progress: impl Fn(u64) + Send,
    ) -> Result<usize, ProjectionError> {
        let desk = &self.desk;
        let mut walk = Walk { tenant, owner, after: None, over: false };
        let (mut done, mut repaired) = (0, 0);
        if !desk.index.damage().await.map_err(ProjectionError::Index)?.is_empty() {
            desk.index.mend().await.map_err(ProjectionError::Index)?;
            ledger::crash::point("repair-index.mended");
        }
        while let Some(seen) = desk.look(&mut walk, now).await? {
            let drifted = desk.drifted(tenant, &seen, now).await?;
            let facts: BTreeSet<FactId> = drifted.into_iter().map(|(_, drifted)| drifted.fact).collect();
            repaired += facts.len();
            desk.ledger.order(tenant.clone(), facts.into_iter().collect(), now).await?;
            ledger::crash::point("repair-index.ordered");
            desk.all(now).await?;
            ledger::crash::point("repair-index.span");
            done += u64::try_from(seen.scopes.len()).unwrap_or(u64::MAX);
            progress(done);
        }
        self.switch().await?;
        Ok(repaired)
    }
}

impl Projector {
    /// Searches by the model of today once every row has its vectors.
    async fn switch(&self) -> Result<(), ProjectionError> {
        let desk = &self.desk;
        let Some(model) = desk.model().await else { return Ok(()) };
        if desk.index.serving().await.map_err(ProjectionError::Index)?.is_none_or(|serving| serving != model)
        {
            desk.index.serve(&model).await.map_err(ProjectionError::Index)?;
        }
        Ok(())
    }
}

impl Desk {
    /// The next span of a walk; none after the last, which has no end.
    async fn look(&self, walk: &mut Walk<'_>, now: Timestamp) -> Result<Option<Seen>, ProjectionError> {
        if walk.over {
            return Ok(None);
        }
        let token = walk.owner.map(Container::token);
        let facts = self.ledger.facts_after(walk.tenant, token.as_deref(), walk.after, SPAN_FACTS).await?;
        let (after, until) = (walk.after, facts.last().copied());
        let (tenant, owner) = (walk.tenant.clone(), walk.owner.cloned());
        let span = Span { tenant, owner, after, until, model: self.model().await };
        (walk.after, walk.over) = (until, until.is_none());
        let (mut wanted, mut scopes) = (BTreeMap::new(), BTreeMap::new());
        for fact in facts {
            if let Some((image, scope)) = self.wanted(walk.tenant, fact, now).await? {
                wanted.insert(fact, image);
                scopes.insert(fact, scope);
            }
        }
        let entries = self.index.entries(&span).await.map_err(ProjectionError::Index)?;
        Ok(Some(Seen { wanted, entries, scopes }))
    }

    /// What the ledger says of a fact's copy, and whose it is; none where it does not know the fact.
    async fn wanted(
        &self,
        tenant: &Id,
        fact: FactId,
        now: Timestamp,
    ) -> Result<Option<(Wanted, Scope)>, ProjectionError> {
        let Image { row, scope, .. } = self.image(tenant, fact, now).await?;
        Ok(scope.map(|scope| (Wanted { row: row.map(Likeness::from) }, scope)))
    }

    /// Counts the facts and rows of a span for its owners.
    fn count(&self, seen: &Seen, owners: &mut BTreeMap<String, CopyReport>) {
        for (fact, wanted) in &seen.wanted {
            owners.entry(seen.owner(*fact, None)).or_default().facts += u64::from(wanted.row.is_some());
        }
        for entry in &seen.entries {
            let report = owners.entry(seen.owner(entry.fact, Some(entry))).or_default();
            report.rows += 1;
            report.to_embed += u64::from(!entry.embedded);
        }
    }

    /// What differs in a span, and whose it is.
    async fn drifted(
        &self,
        tenant: &Id,
        seen: &Seen,
        now: Timestamp,
    ) -> Result<Vec<(String, Drifted)>, ProjectionError> {
        let mut drifted = Vec::new();
        for one in compare(&seen.wanted, &seen.entries) {
            if self.stays(tenant, &one, now).await? {
                let entry = seen.entries.iter().find(|entry| entry.fact == one.fact);
                drifted.push((seen.owner(one.fact, entry), one));
            }
        }
        Ok(drifted)
    }

    /// Whether a difference is still there at a second look, and nothing is under way that mends it.
    async fn stays(&self, tenant: &Id, drifted: &Drifted, now: Timestamp) -> Result<bool, ProjectionError> {
        if self.ledger.operation_of(tenant, drifted.fact, now).await?.is_some() {
            return Ok(false);
        }
        let fact = drifted.fact;
        let row = self.wanted(tenant, fact, now).await?.and_then(|(wanted, _)| wanted.row);
        let rows = self.index.rows(tenant, fact).await.map_err(ProjectionError::Index)?;
        if rows.iter().any(|key| !key.by_these_rules) {
            return Ok(true);
        }
        let keys: Vec<_> = rows.iter().map(Likeness::from).collect();
        if let (Drift::Stale, Some(model), Some(Likeness { digest, .. })) =
            (drifted.drift, self.model().await, &row)
            && keys.iter().any(|key| Some(key) == row.as_ref())
        {
            let embedded = self.index.embedded(&model, std::slice::from_ref(digest)).await;
            return Ok(embedded.map_err(ProjectionError::Index)? == [false]);
        }
        let unfindable = drifted.drift == Drift::Missing && drifted.row.is_some();
        Ok(unfindable || keys != Vec::from_iter(row) || drifted.drift == Drift::Unknown)
    }
}
