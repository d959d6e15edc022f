//! How each part of an install stands: a line for each, with what was found about it.

use std::collections::BTreeMap;
use std::fmt;

use fact::{State, Timestamp};
use ledger::{Census, OwnerCensus, Reported};
use serde::Serialize;

use crate::area::{Area, Condition};
use crate::copy_check::CopyCheck;
use crate::finding::Finding;
use crate::judge::judge;
use crate::survey::{Standing, Survey};
use crate::words::{age, bytes, counted};

/// How an install stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Status {
    /// Whether somebody has to do something.
    pub gaps: bool,
    /// Part by part.
    pub areas: Vec<Line>,
}

/// How one part stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Which.
    pub area: Area,
    /// How.
    #[serde(rename = "state")]
    pub condition: Condition,
    /// In numbers.
    pub detail: String,
    /// What was found.
    pub findings: Vec<Said>,
}

/// A finding with its words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Said {
    /// The finding.
    #[serde(flatten)]
    pub finding: Finding,
    /// In words.
    pub text: String,
    /// The command that mends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
}

impl Status {
    /// What the survey comes to.
    pub fn of(survey: &Survey) -> Self {
        let findings = judge(survey);
        let areas = Area::ALL.into_iter().map(|area| Line::of(area, survey, &findings));
        let areas: Vec<Line> = areas.collect();
        Self { gaps: areas.iter().any(|line| line.condition.is_gap()), areas }
    }
}

impl Line {
    fn of(area: Area, survey: &Survey, findings: &[Finding]) -> Self {
        if !area.exists() {
            let detail = "not in this version".to_owned();
            return Self { area, condition: Condition::Disabled, detail, findings: Vec::new() };
        }
        let of_area = || findings.iter().filter(|finding| finding.area() == Some(area));
        let worst = of_area().map(Finding::condition).max();
        Self {
            area,
            condition: worst.unwrap_or(Condition::Active),
            detail: detail(area, survey),
            findings: of_area().cloned().map(Said::from).collect(),
        }
    }
}

impl From<Finding> for Said {
    fn from(finding: Finding) -> Self {
        Self { text: finding.to_string(), mend: finding.mend(), finding }
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.mend {
            Some(mend) => write!(f, "{} (`{mend}`)", self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// A part in numbers.
fn detail(area: Area, survey: &Survey) -> String {
    let Survey { at, size, tenants, settings: _ } = survey;
    if area == Area::Storage {
        let told = |size: &ledger::Size| format!("{}, log {}", bytes(size.database), bytes(size.log));
        return size.as_ref().map(told).unwrap_or_default();
    }
    if tenants.is_empty() {
        return String::new();
    }
    let sum = |count: fn(&Standing) -> u64| tenants.iter().map(count).sum::<u64>();
    match area {
        Area::CurrentTruth => states(tenants),
        Area::Projection => format!(
            "{} waiting, {} failed, {} blocked",
            sum(|one| one.outbox.waiting),
            sum(|one| one.outbox.failed),
            sum(|one| one.outbox.blocked)
        ),
        Area::IndexDrift => copy(tenants, *at),
        Area::Conflicts => {
            let since = tenants.iter().filter_map(|one| one.awaited.since).min();
            let oldest =
                since.map_or_else(String::new, |since| format!(", the oldest for {}", age(since, *at)));
            format!("{} open{oldest}", sum(|one| one.awaited.conflicts))
        }
        Area::Review => format!("{} waiting", sum(|one| one.awaited.reviews)),
        Area::LedgerIntegrity => proof(tenants, *at),
        Area::Reconciliation => legacy(tenants),
        Area::Storage | Area::Episodes | Area::ExtractionReceipts => String::new(),
    }
}

fn states(tenants: &[Standing]) -> String {
    let mut states: BTreeMap<State, u64> = BTreeMap::new();
    for (state, count) in tenants.iter().flat_map(|one| &one.states) {
        *states.entry(*state).or_default() += count;
    }
    let counts: Vec<String> =
        states.iter().map(|(state, count)| format!("{count} {}", state.name())).collect();
    counts.join(", ")
}

fn copy(tenants: &[Standing], at: Timestamp) -> String {
    let reports: Vec<&Reported> = tenants.iter().flat_map(|one| &one.reports).collect();
    match CopyCheck::of(reports) {
        Some(check) => check.told(at),
        None => "not checked".to_owned(),
    }
}

fn legacy(tenants: &[Standing]) -> String {
    let owners = || tenants.iter().flat_map(|one| &one.legacy);
    let mut total = Census::default();
    owners().for_each(|one| total.add(&one.census));
    let (off, on): (Vec<_>, Vec<_>) = owners().partition(|one| one.is_reconciled);
    let people = |owners: &[&OwnerCensus]| counted(u64::try_from(owners.len()).unwrap_or(0), "owner");
    if total.rows() == 0 {
        return "no legacy rows".to_owned();
    }
    let Census { legacy, absorbed, rejected, deferred, unclassified } = total;
    format!(
        "legacy recall on for {}, off for {}; {legacy} legacy, {absorbed} absorbed, {rejected} rejected, {deferred} \
         deferred, {unclassified} unclassified",
        people(&on),
        people(&off),
    )
}

fn proof(tenants: &[Standing], at: Timestamp) -> String {
    let Some(oldest) = tenants.iter().filter_map(|one| one.proof.as_ref()).map(|proof| proof.at).min() else {
        return "not checked".to_owned();
    };
    let seen: i64 =
        tenants.iter().filter_map(|one| one.proof.as_ref()).map(|proof| proof.chain.position.get()).sum();
    let events: i64 = tenants.iter().map(|one| one.position.get()).sum();
    let count = |events: i64| counted(u64::try_from(events).unwrap_or(0), "event");
    format!("{} checked {} ago, {} since", count(seen), age(oldest, at), count(events - seen))
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        for Line { area, condition, detail, findings } in &self.areas {
            let line = format!("{:<20} {:<16} {detail}", area.name(), condition.name());
            lines.push(line.trim_end().to_owned());
            lines.extend(findings.iter().map(|said| format!("  {said}")));
        }
        f.write_str(&lines.join("\n"))
    }
}
