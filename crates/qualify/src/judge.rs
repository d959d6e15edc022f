//! The rules: what is found in the survey. Pure.

use std::collections::BTreeMap;

use fact::Timestamp;
use ledger::OwnerCensus;

use crate::area::Area;
use crate::copy_check::CopyCheck;
use crate::finding::Finding;
use crate::survey::{Standing, Survey};
use crate::words::SECOND_MICROS;

/// Work that waits for longer is late: an outage, or nobody is working.
const LATE_SECONDS: i64 = 600;
/// A log of more bytes is worth a word: it is cut back at 64 MiB, unless somebody reads all the time.
const LOG_BYTES_MAX: u64 = 256 << 20;

/// Everything that is found, area by area.
pub fn judge(survey: &Survey) -> Vec<Finding> {
    let mut findings = Vec::new();
    if survey.tenants.is_empty() {
        // Most installs have no memories from before the ledger: none of them is missing.
        let empty = |area: &Area| match area {
            Area::Reconciliation => false,
            Area::Storage => survey.size.is_none(),
            Area::CurrentTruth
            | Area::Projection
            | Area::IndexDrift
            | Area::Conflicts
            | Area::Review
            | Area::Episodes
            | Area::ExtractionReceipts
            | Area::LedgerIntegrity => area.exists(),
        };
        findings.extend(Area::ALL.into_iter().filter(empty).map(|area| Finding::NothingRecorded { area }));
    }
    for standing in &survey.tenants {
        findings.extend(projection(standing, survey.at));
        findings.extend(copy(standing));
        findings.extend(legacy(standing));
        findings.extend(ledger(standing));
    }
    let log = survey.size.map_or(0, |size| size.log);
    findings.extend((log > LOG_BYTES_MAX).then_some(Finding::LogLong { bytes: log }));
    findings
}

/// What is found about one part that somebody has to do something about.
pub fn gaps(survey: &Survey, area: Area) -> Vec<Finding> {
    let mut findings = judge(survey);
    findings.retain(|finding| finding.area() == Some(area) && finding.condition().is_gap());
    findings
}

fn projection(standing: &Standing, now: Timestamp) -> Vec<Finding> {
    let Standing { tenant, outbox, .. } = standing;
    let tenant = || tenant.clone();
    let mut findings = Vec::new();
    if outbox.failed > 0 {
        let (failed, blocked) = (outbox.failed, outbox.blocked);
        findings.push(Finding::NotProjected { tenant: tenant(), failed, blocked });
    }
    // What failed is old as well, and was said already.
    let late = outbox.oldest.filter(|_| outbox.failed == 0 && outbox.waiting > 0).and_then(|since| {
        let seconds = (now.micros() - since.micros()) / SECOND_MICROS;
        (seconds > LATE_SECONDS).then_some((since, seconds))
    });
    match (outbox.waiting, late) {
        (0, _) => {}
        (waiting, Some((since, seconds))) => {
            findings.push(Finding::Late { tenant: tenant(), waiting, since, seconds });
        }
        (waiting, None) => findings.push(Finding::UnderWay { tenant: tenant(), waiting }),
    }
    findings
}

/// Owners who have no facts any more do not have to be checked; what their last check found still stands.
fn copy(standing: &Standing) -> Vec<Finding> {
    let Standing { tenant, owners, reports, .. } = standing;
    let mut findings = Vec::new();
    let checked = |owner: &&String| reports.iter().any(|report| report.owner == **owner);
    let never: Vec<String> = owners.iter().filter(|owner| !checked(owner)).cloned().collect();
    if !never.is_empty() {
        findings.push(Finding::NeverChecked { tenant: tenant.clone(), owners: never });
    }
    let before: BTreeMap<String, u64> = reports
        .iter()
        .filter(|report| report.changes > 0 && owners.contains(&report.owner))
        .map(|report| (report.owner.clone(), report.changes))
        .collect();
    if !before.is_empty() {
        findings.push(Finding::CheckedBefore { tenant: tenant.clone(), owners: before });
    }
    if let Some(CopyCheck { total, .. }) = CopyCheck::of(reports) {
        if !total.is_clean() {
            findings.push(Finding::Drifted { tenant: tenant.clone(), drift: total.drift });
        }
        if total.damage > 0 {
            findings.push(Finding::CopyDamaged { tenant: tenant.clone() });
        }
    }
    findings
}

/// That a review is pending is no finding: only the owner can end that.
fn legacy(standing: &Standing) -> Vec<Finding> {
    let Standing { tenant, legacy, unfinished, .. } = standing;
    let unfinished = unfinished.iter();
    let mut findings: Vec<Finding> = unfinished
        .map(|adoption| Finding::AdoptionUnfinished { tenant: tenant.clone(), adoption: *adoption })
        .collect();
    let undecided: Vec<&OwnerCensus> = legacy.iter().filter(|one| one.census.unclassified > 0).collect();
    if findings.is_empty() && !undecided.is_empty() {
        findings.push(Finding::Unclassified {
            tenant: tenant.clone(),
            owners: undecided.iter().map(|one| one.owner().to_string()).collect(),
            rows: undecided.iter().map(|one| one.census.unclassified).sum(),
        });
    }
    findings
}

fn ledger(standing: &Standing) -> Option<Finding> {
    let tenant = standing.tenant.clone();
    match &standing.proof {
        None => Some(Finding::NeverProved { tenant }),
        Some(proof) if !standing.is_whole => Some(Finding::Cut { tenant, position: proof.chain.position }),
        Some(_) if !standing.is_ended => Some(Finding::Unended { tenant }),
        Some(proof) if proof.chain.found > 0 => Some(Finding::Unsound { tenant, found: proof.chain.found }),
        Some(_) => None,
    }
}
