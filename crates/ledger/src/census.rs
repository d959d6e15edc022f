//! How legacy rows stand, in numbers.

use fact::{Container, Id, LegacyDecision, Scope};
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::error::StoreError;
use crate::older::decided;
use crate::{Ledger, row};

/// How the legacy rows of one owner stand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Census {
    /// Nobody has decided about them, and no review of this owner's was applied.
    pub legacy: u64,
    /// A fact rests on them, or they were kept as records of what happened.
    pub absorbed: u64,
    /// A review rejected them.
    pub rejected: u64,
    /// A review left them to another one.
    pub deferred: u64,
    /// A review of this owner's was applied, and nobody has decided about them.
    pub unclassified: u64,
}

impl Census {
    /// All of them.
    pub fn rows(&self) -> u64 {
        let Self { legacy, absorbed, rejected, deferred, unclassified } = self;
        legacy + absorbed + rejected + deferred + unclassified
    }

    /// Counts others with them.
    pub fn add(&mut self, other: &Self) {
        let Self { legacy, absorbed, rejected, deferred, unclassified } = other;
        self.legacy += legacy;
        self.absorbed += absorbed;
        self.rejected += rejected;
        self.deferred += deferred;
        self.unclassified += unclassified;
    }
}

/// The census of one owner's rows, or of those of one scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnerCensus {
    /// The tenant.
    pub tenant: Id,
    /// Their scope, or one of those of their owner.
    pub scope: Scope,
    /// Whether a review of theirs was applied, or has begun to be: none of them is recalled any more.
    pub is_reconciled: bool,
    /// How they stand.
    pub census: Census,
}

impl OwnerCensus {
    /// Whose they are.
    pub fn owner(&self) -> Container {
        self.scope.anchor()
    }

    /// How many of them wait for a review.
    pub fn waiting(&self) -> u64 {
        self.census.legacy + self.census.unclassified + self.census.deferred
    }

    fn is_of(&self, other: &Self) -> bool {
        self.tenant == other.tenant && self.owner() == other.owner()
    }

    /// Those of one owner as one, in the order of tenants and owners.
    pub fn joined(several: Vec<Self>) -> Vec<Self> {
        let mut owners: Vec<Self> = Vec::new();
        for one in several {
            match owners.iter_mut().find(|known| known.is_of(&one)) {
                Some(known) => known.census.add(&one.census),
                None => owners.push(one),
            }
        }
        owners.sort_by_key(|one| (one.tenant.clone(), one.owner().to_string()));
        owners
    }
}

impl Ledger {
    /// How the rows of each scope stand, of one tenant or of all.
    pub async fn legacy_census(&self, tenant: Option<&Id>) -> Result<Vec<OwnerCensus>, StoreError> {
        let mut connection = self.reader().await?;
        let rows = sqlx::query(include_str!("sql/legacy_census.sql"))
            .bind(tenant.map(|tenant| tenant.as_str().to_owned()))
            .fetch_all(&mut *connection)
            .await?;
        rows.iter().map(census).collect()
    }
}

/// One line of the census: the rows of a scope that stand alike.
fn census(found: &AnyRow) -> Result<OwnerCensus, StoreError> {
    let (tenant, scope): (String, String) = (found.try_get(0)?, found.try_get(1)?);
    let (decision, is_cited): (Option<String>, i64) = (found.try_get(2)?, found.try_get(3)?);
    let is_reconciled = found.try_get::<i64, _>(4)? > 0;
    let rows = u64::try_from(found.try_get::<i64, _>(5)?).unwrap_or(0);
    let scope: Scope = row::json("legacy_rows", "scope", &scope)?;
    let decision = decision.map(|name| decided("decision", &name)).transpose()?;
    let mut census = Census::default();
    let place = match (decision, is_cited > 0, is_reconciled) {
        (Some(LegacyDecision::Adopted | LegacyDecision::Kept), _, _) | (_, true, _) => &mut census.absorbed,
        (Some(LegacyDecision::Rejected), false, _) => &mut census.rejected,
        (Some(LegacyDecision::Deferred), false, _) => &mut census.deferred,
        (None, false, true) => &mut census.unclassified,
        (None, false, false) => &mut census.legacy,
    };
    *place = rows;
    let tenant =
        Id::parse("tenant", &tenant).map_err(|bad| StoreError::damaged("legacy_rows", &tenant, bad))?;
    Ok(OwnerCensus { tenant, scope, is_reconciled, census })
}
