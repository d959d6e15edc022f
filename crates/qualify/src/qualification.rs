//! Passing or failing an install: every part of it is as it must be, and nothing is lost or changed since the snapshot.

use std::fmt;
use std::path::Path;

use fact::Timestamp;
use ledger::{Address, Chain, LastCheck, Ledger, OpenError, StoreError};

use crate::finding::{Finding, SnapshotFault};
use crate::snapshot::{End, Snapshot};
use crate::status::{Line, Said, Status};
use crate::survey::Survey;
use crate::words::counted;
use crate::{judge, settings};

/// What a run came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Qualification {
    /// Check by check.
    pub verdicts: Vec<Verdict>,
}

/// How one check ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The check.
    pub name: &'static str,
    /// Whether it passed.
    pub passed: bool,
    /// Why.
    pub detail: String,
}

/// Qualifies the install at an address by a snapshot, which a run that passes makes where there is none, and any run
/// with `record`. Writes nothing but that file.
pub async fn qualify(address: Address, snapshot: &Path, record: bool, now: Timestamp) -> Qualification {
    match look(address, now).await {
        Ok(seen) => Qualification { verdicts: seen.verdicts(snapshot, record).await },
        Err(why) => Qualification { verdicts: vec![Verdict::of("store", "", &[Finding::NotOpened { why }])] },
    }
}

/// What a run sees of the store.
struct Looked {
    ledger: Option<Ledger>,
    survey: Survey,
}

async fn look(address: Address, now: Timestamp) -> Result<Looked, OpenError> {
    let ledger = match Ledger::open_to_read(address).await {
        Ok(ledger) => ledger,
        Err(OpenError::Empty) => return Ok(Looked { ledger: None, survey: Survey::of_nothing(now) }),
        Err(error) => return Err(error),
    };
    let mut survey = Survey::gather(&ledger, now).await?;
    let proved = ledger.check(|_| {}).await?;
    for chain in proved.chains {
        survey.prove(&ledger, LastCheck { at: now, chain }).await?;
    }
    Ok(Looked { ledger: Some(ledger), survey })
}

impl Looked {
    async fn verdicts(&self, path: &Path, record: bool) -> Vec<Verdict> {
        let mut verdicts: Vec<Verdict> =
            Status::of(&self.survey).areas.iter().map(Verdict::of_area).collect();
        verdicts.push(self.checks());
        let is_kept = match Snapshot::read(path) {
            Err(fault) => {
                verdicts.push(unusable(path, fault));
                return verdicts;
            }
            Ok(Some(kept)) if !record => {
                verdicts.extend(self.compare(&kept).await);
                return verdicts;
            }
            Ok(kept) => kept.is_some(),
        };
        let passed = verdicts.iter().all(|verdict| verdict.passed);
        let taken = self.taken();
        let count = counted(u64::try_from(taken.settings.len()).unwrap_or(u64::MAX), "setting");
        if !passed && !record {
            let not_yet = format!("{count}, to be recorded by the first run that passes");
            verdicts.push(Verdict::of("defaults", &not_yet, &[]));
            return verdicts;
        }
        let anew = if is_kept { "recorded anew" } else { "recorded" };
        verdicts.push(match taken.write(path) {
            Ok(()) => Verdict::of("defaults", &format!("{count} {anew}"), &[]),
            Err(fault) => unusable(path, fault),
        });
        verdicts
    }

    /// Whether each owner's rows were checked after they last changed.
    fn checks(&self) -> Verdict {
        let owners: usize = self.survey.tenants.iter().map(|standing| standing.owners.len()).sum();
        let owners = counted(u64::try_from(owners).unwrap_or(u64::MAX), "owner");
        let mut late = judge(&self.survey);
        late.retain(|one| matches!(one, Finding::NeverChecked { .. } | Finding::CheckedBefore { .. }));
        Verdict::of("index checks", &format!("{owners}, nothing written since"), &late)
    }

    async fn compare(&self, kept: &Snapshot) -> [Verdict; 2] {
        let is = settings::compared(&self.survey);
        let count = counted(u64::try_from(is.len()).unwrap_or(u64::MAX), "setting");
        let changed = settings::changed(&kept.settings, &is);
        let defaults = Verdict::of("defaults", &format!("{count}, unchanged"), &changed);
        let chain = match self.behind(kept).await {
            Ok(behind) => {
                let since = format!("whole since {}", kept.recorded_at);
                Verdict::of("chain", &since, &behind)
            }
            Err(error) => Verdict::of("chain", "", &[Finding::NotOpened { why: error.into() }]),
        };
        [defaults, chain]
    }

    /// Where the ledger does not reach what was recorded.
    async fn behind(&self, kept: &Snapshot) -> Result<Vec<Finding>, StoreError> {
        let mut behind = Vec::new();
        for End { tenant, position, digest } in &kept.chains {
            let reached = match &self.ledger {
                Some(ledger) => ledger.reaches(tenant, *position, digest).await?,
                None => false,
            };
            if !reached {
                behind.push(Finding::BehindSnapshot { tenant: tenant.clone(), position: *position });
            }
        }
        Ok(behind)
    }

    fn taken(&self) -> Snapshot {
        let ends = self.survey.tenants.iter().filter_map(|standing| standing.proof.as_ref());
        let chains = ends.map(|LastCheck { chain: Chain { tenant, position, digest, .. }, .. }| End {
            tenant: tenant.clone(),
            position: *position,
            digest: digest.clone(),
        });
        Snapshot::taken(self.survey.at, settings::compared(&self.survey), chains.collect())
    }
}

fn unusable(path: &Path, fault: SnapshotFault) -> Verdict {
    let path = path.to_string_lossy().into_owned();
    Verdict::of("snapshot", "", &[Finding::Snapshot { path, fault }])
}

impl Qualification {
    /// Whether every check passed.
    pub fn passed(&self) -> bool {
        self.verdicts.iter().all(|verdict| verdict.passed)
    }
}

impl Verdict {
    fn of_area(line: &Line) -> Self {
        let Line { area, condition, detail, findings } = line;
        if condition.passes() {
            let detail = [condition.name(), detail].join(", ");
            return Self { name: area.name(), passed: true, detail };
        }
        Self::failed(area.name(), condition.name(), findings)
    }

    /// Passed, unless something was found.
    fn of(name: &'static str, detail: &str, findings: &[Finding]) -> Self {
        if findings.is_empty() {
            return Self { name, passed: true, detail: detail.to_owned() };
        }
        let said: Vec<Said> = findings.iter().cloned().map(Said::from).collect();
        Self::failed(name, "", &said)
    }

    fn failed(name: &'static str, condition: &str, findings: &[Said]) -> Self {
        let said: Vec<String> = findings.iter().map(Said::to_string).collect();
        let lead = if condition.is_empty() { String::new() } else { format!("{condition}, ") };
        Self { name, passed: false, detail: format!("{lead}{}", said.join("; ")) }
    }
}

impl fmt::Display for Qualification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Verdict { name, passed, detail } in &self.verdicts {
            let verdict = if *passed { "PASS" } else { "FAIL" };
            writeln!(f, "{verdict} {name}: {detail}")?;
        }
        write!(f, "memory qualification: {}", if self.passed() { "PASSED" } else { "FAILED" })
    }
}
