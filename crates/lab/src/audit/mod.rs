//! Claims held against measurements: the whole catalogue, and the suite of mistakes that proves that the
//! auditor can see.

pub mod broken;
mod page;
pub mod program;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use reticent_audit::{AuditError, Claim, Finding, Method, Verdict};
use reticent_privacy::{Delta, Epsilon, Provenance};
use serde::Serialize;

use crate::catalogue::{CatalogueError, Effort, Entry, Group};
use reticent_jobs::Progress;

pub use page::{caught, caught_table, claims_chart, page, table, unseen, verdict};

/// One line of an audit's result.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// What was audited.
    pub name: String,
    /// The name with what sets this audit of it apart.
    pub label: String,
    /// Where it belongs, or none for a deliberate mistake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<Group>,
    /// The mistake, for a deliberate one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mistake: Option<&'static str>,
    /// Whether a deliberate mistake was caught.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caught: Option<bool>,
    /// The claimed epsilon.
    pub claimed: f64,
    /// The claimed delta.
    pub delta: f64,
    /// A lower bound on the true epsilon at that delta; none if it is infinite.
    pub measured_lower_bound: Option<f64>,
    /// An upper bound on it that is proved too, where the audit was exact; none if it is infinite.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured_upper_bound: Option<f64>,
    /// Measured over claimed; none if it is infinite.
    pub tightness: Option<f64>,
    /// The probability that the bound holds.
    pub confidence: f64,
    /// How it was measured.
    pub method: Method,
    /// Runs of the mechanism, searching and testing.
    pub samples: u64,
    /// Of those, the runs of the one test.
    pub fresh_samples: u64,
    /// The worst pair found.
    pub neighbours: String,
    /// What tells the two apart.
    pub event: String,
    /// The rarest outright disclosure that the test would have seen; none for exact audits, and where runs are too few
    /// to see any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smallest_leak: Option<f64>,
    /// What was not looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<String>,
    /// Whether the measurement contradicts the claim.
    pub verdict: Verdict,
}

/// The result of an audit.
#[derive(Debug, Clone, Serialize)]
pub struct Document {
    /// What the noise was made of; none if it is a program's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noise: Option<Provenance>,
    /// Whether all is as it should be: every entry passes, or every mistake was caught.
    pub passed: bool,
    /// One entry each.
    pub results: Vec<Row>,
}

/// Why an audit ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuditRunError {
    /// An entry could not be audited.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// The user asked to stop.
    #[error("interrupted; nothing was decided")]
    Interrupted,
}

impl From<AuditError> for AuditRunError {
    fn from(error: AuditError) -> AuditRunError {
        AuditRunError::Catalogue(error.into())
    }
}

/// Audits each entry at each epsilon.
pub fn entries(
    entries: &[Box<dyn Entry>],
    epsilons: &[Epsilon],
    effort: &Effort,
    progress: &dyn Progress,
) -> Result<Document, AuditRunError> {
    let jobs: Vec<_> =
        entries.iter().flat_map(|entry| epsilons.iter().map(move |&epsilon| (entry, epsilon))).collect();
    let findings = each(&jobs, effort, progress, |(entry, epsilon), effort| {
        let rows = entry.audit(*epsilon, effort)?;
        Ok(rows
            .into_iter()
            .map(|finding| Row::new(entry.name(), Some(entry.group()), None, finding))
            .collect::<Vec<_>>())
    })?;
    let results: Vec<Row> = findings.into_iter().flatten().collect();
    let passed = results.iter().all(|row| row.verdict == Verdict::Passes);
    Ok(Document { noise: Some(effort.provenance()), passed, results })
}

/// Audits the deliberate mistakes.
pub fn mistakes(effort: &Effort, progress: &dyn Progress) -> Result<Document, AuditRunError> {
    let results = each(&broken::all(), effort, progress, |broken, effort| {
        Ok(Row::new(broken.name(), None, Some(broken.mistake()), broken.audit(effort)?))
    })?;
    let passed = results.iter().all(|row| row.verdict == Verdict::Leaks);
    Ok(Document { noise: Some(effort.provenance()), passed, results })
}

/// Audits a program of anybody's at each loss.
pub fn program(
    program: &program::Program,
    epsilons: &[Epsilon],
    delta: Delta,
    effort: &Effort,
    progress: &dyn Progress,
) -> Result<Document, AuditRunError> {
    let claims: Vec<Claim> = epsilons.iter().map(|&epsilon| Claim::approximate(epsilon, delta)).collect();
    let results = each(&claims, effort, progress, |claim, effort| {
        let found = program.audit(*claim, effort);
        // Who interrupts us interrupts the program too, and it may end first.
        let found =
            found.map_err(|error| if progress.stop() { AuditRunError::Interrupted } else { error.into() })?;
        Ok(Row::new(program.name(), None, None, found))
    })?;
    let passed = results.iter().all(|row| row.verdict == Verdict::Passes);
    Ok(Document { noise: None, passed, results })
}

/// Does the jobs on the effort's threads and returns their results in order. Where jobs are fewer than threads, each
/// has several.
fn each<J: Sync, T: Send>(
    jobs: &[J],
    effort: &Effort,
    progress: &dyn Progress,
    work: impl Fn(&J, &Effort) -> Result<T, AuditRunError> + Sync,
) -> Result<Vec<T>, AuditRunError> {
    progress.begin("audits");
    progress.size(jobs.len() as u64);
    let workers = effort.threads.clamp(1, jobs.len().max(1));
    let single = Effort { threads: (effort.threads / workers).max(1), ..*effort };
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<Result<T, AuditRunError>>>> = Mutex::new(jobs.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(index).filter(|_| !progress.stop()) else { break };
                    let result = work(job, &single);
                    if let Ok(mut done) = done.lock() {
                        done[index] = Some(result);
                    }
                    progress.served(1);
                }
            });
        }
    });
    let done = done.into_inner().unwrap_or_default();
    done.into_iter().map(|result| result.unwrap_or(Err(AuditRunError::Interrupted))).collect()
}

impl Document {
    /// Where the noise came from, in words.
    pub fn noise_label(&self) -> &'static str {
        self.noise.map_or("the program's own", Provenance::label)
    }
}

impl Effort {
    fn provenance(&self) -> Provenance {
        if self.seed.is_some() { Provenance::Simulation } else { Provenance::SystemEntropy }
    }
}

impl Row {
    fn new(name: &str, group: Option<Group>, mistake: Option<&'static str>, finding: Finding) -> Row {
        let finite = |value: f64| value.is_finite().then_some(value);
        Row {
            name: name.to_string(),
            label: finding.name,
            group,
            mistake,
            caught: mistake.map(|_| finding.verdict == Verdict::Leaks),
            claimed: finding.claimed.epsilon.value(),
            delta: finding.claimed.delta.value(),
            measured_lower_bound: finite(finding.measured),
            measured_upper_bound: finding.upper.and_then(finite),
            tightness: finite(finding.tightness),
            confidence: finding.confidence,
            method: finding.method,
            samples: finding.samples.training + finding.samples.fresh,
            fresh_samples: finding.samples.fresh,
            neighbours: finding.neighbours,
            event: finding.event,
            smallest_leak: finding.smallest_leak,
            unseen: finding.unseen,
            verdict: finding.verdict,
        }
    }

    /// The rarest disclosure that would have been seen, in digits.
    pub fn sight(&self) -> String {
        match (self.method, self.smallest_leak) {
            (Method::Exact, _) => "any".to_string(),
            (_, Some(least)) => format!("{least:.1e}"),
            (_, None) => "none".to_string(),
        }
    }

    /// The measured bound in digits.
    pub fn measured(&self) -> String {
        self.measured_lower_bound.map_or_else(|| "∞".to_string(), |value| format!("{value:.3}"))
    }
}
