//! Tests that no honest people's reports fail, and what is left of reports that fail them.
//!
//! Which task a device answers is a public coin, and so is the row of a signed bit: every task has the same
//! probability, and within its task every row, whoever the person is. Forgers move most by piling reports on the few
//! tasks and rows that suit them. The reports of each policy are bet on: that a share of all names one task, or one row
//! of one task, or one row in each task. The capital of such a bet is multiplied by a likelihood ratio, whose mean is 1
//! for honest reports however many there are; so by Ville's inequality it ever reaches 1 / alpha with probability at
//! most alpha. A part of the money is kept for later policies: forgers need not be there from the start.
//!
//! Once a bet is won, what a row has beyond its share is no evidence: of the bits that it may be, those are left out
//! that bring the row nearest to saying nothing.

use reticent_protocol::contextual::Plan;
use serde::{Deserialize, Serialize};

use super::tally::{Counts, Tally};

/// How often honest reports of a whole run make the test fire.
pub(super) const FALSE_ALARMS: f64 = 0.001;
/// Shares of forgers that are bet on.
const SHARES: [f64; 4] = [0.01, 0.03, 0.1, 0.3];
/// What is bet on: a task, a row, and a row in each task.
const BETS: usize = 3;
/// Deviations by which a count may exceed its share once the test has fired.
const WITHIN: f64 = 2.0;
/// A task of frequencies counts for nothing if so many times its share came, and more than chance gives.
const FLOODED: f64 = 1.1;

/// What was won by bets against the law of public coins.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Guard {
    /// The logarithm of each bet's capital; none before the first reports.
    capital: Option<[[f64; SHARES.len()]; BETS]>,
    /// Lots of reports that were bet on.
    lots: u64,
    fired: bool,
    /// Reports that were not counted.
    left_out: u64,
    /// Whether the tests have no consequences.
    #[serde(default)]
    trusting: bool,
}

/// What a test found.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Warning {
    /// Reports that name some tasks, or rows, more often than public coins do.
    PiledOn {
        /// Reports that were not counted since.
        left_out: u64,
    },
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Warning::PiledOn { left_out } = self;
        write!(
            f,
            "some tasks are answered more often than devices draw them; some reports are forged, or people of some arms \
             report less often; {left_out} reports beyond what is drawn were not counted"
        )
    }
}

/// How many reports each task has, and each of its rows if these are drawn evenly.
struct Drawn {
    reports: u64,
    rows: Vec<u64>,
}

impl Guard {
    /// Bets on the reports of one policy that came since the last look, and leaves out what is beyond its share.
    pub(super) fn review(&mut self, plan: &Plan, tally: &mut Tally) {
        let drawn: Vec<Drawn> = tally.tasks().iter().map(Drawn::of).collect();
        let all = tally.reports();
        if all == 0 {
            return;
        }
        self.bet(&drawn, all);
        if !self.fired || self.trusting {
            return;
        }
        let share = all as f64 / drawn.len() as f64;
        for (task, counts) in tally.tasks_mut().iter_mut().enumerate() {
            let before = counts.reports();
            if let Counts::Signed { reports, counts } = counts {
                limit_rows(counts, share);
                *reports = counts.iter().sum();
            } else if before as f64 > limit(share).max(FLOODED * share) {
                *counts = Counts::new(plan.channel(task));
            }
            self.left_out = self.left_out.saturating_add(before.saturating_sub(counts.reports()));
        }
    }

    fn bet(&mut self, drawn: &[Drawn], all: u64) {
        self.lots = self.lots.saturating_add(1);
        // The parts of all lots add up to 1.
        let kept = -libm::log(self.lots as f64) - libm::log1p(self.lots as f64);
        let capital = self.capital.get_or_insert([[f64::NEG_INFINITY; SHARES.len()]; BETS]);
        for (place, &forged) in SHARES.iter().enumerate() {
            let ratios = ratios(drawn, all, forged);
            for (capital, ratio) in capital.iter_mut().zip(ratios) {
                capital[place] = sum_of_logs([capital[place], kept]) + ratio;
            }
        }
        let bets = (BETS * SHARES.len()) as f64;
        let mean = sum_of_logs(capital.as_flattened().iter().copied()) - libm::log(bets);
        self.fired |= mean >= -libm::log(FALSE_ALARMS);
    }

    /// From now on the tests have no consequences.
    pub(super) fn trust_all(&mut self) {
        self.trusting = true;
    }

    /// What the tests found.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        self.fired.then_some(Warning::PiledOn { left_out: self.left_out }).into_iter().collect()
    }

    /// Whether a stored guard can be of a run.
    pub(super) fn is_possible(&self) -> bool {
        self.capital.is_none_or(|capital| capital.as_flattened().iter().all(|log| log.is_finite()))
            && self.capital.is_some() == (self.lots > 0)
    }
}

impl Drawn {
    fn of(counts: &Counts) -> Drawn {
        let rows = match counts {
            Counts::Signed { counts, .. } => {
                counts.chunks_exact(2).map(|bits| bits[0].saturating_add(bits[1])).collect()
            }
            Counts::Frequency(_) => Vec::new(),
        };
        Drawn { reports: counts.reports(), rows }
    }
}

/// For each bet the logarithm of the probability of the counts if such a share of reports is piled up, over that of
/// honest ones.
fn ratios(drawn: &[Drawn], all: u64, forged: f64) -> [f64; BETS] {
    let tasks = drawn.len() as f64;
    let ratio = |hits: u64, of: u64, places: f64| {
        let (hits, of) = (hits as f64, of as f64);
        hits * libm::log1p(forged * (places - 1.0)) + (of - hits) * libm::log1p(-forged)
    };
    let task = mean_of_logs(drawn.iter().map(|task| ratio(task.reports, all, tasks)));
    let of_row = |task: &Drawn| {
        let places = tasks * task.rows.len() as f64;
        task.rows.iter().map(|&row| ratio(row, all, places)).collect::<Vec<_>>()
    };
    let row = mean_of_logs(drawn.iter().flat_map(of_row));
    let in_each = |task: &Drawn| {
        let places = task.rows.len() as f64;
        mean_of_logs(task.rows.iter().map(|&row| ratio(row, task.reports, places)))
    };
    [task, row, drawn.iter().map(in_each).sum()]
}

/// The most that chance gives so large a share.
fn limit(share: f64) -> f64 {
    share + WITHIN * share.sqrt()
}

/// Leaves out what rows have beyond the limit; of a task that is flooded, beyond what is left of the task's share.
fn limit_rows(counts: &mut [u64], share: f64) {
    let rows = (counts.len() / 2) as f64;
    let reports: u64 = counts.iter().sum();
    let is_flooded = reports as f64 > limit(share);
    let most = if is_flooded { limit(share) / rows } else { limit(share / rows) };
    for bits in counts.chunks_exact_mut(2) {
        let beyond = bits[0].saturating_add(bits[1]).saturating_sub(most.ceil() as u64);
        leave_out(bits, beyond);
    }
}

/// Leaves out so many bits that the rest is as even as can be.
fn leave_out(bits: &mut [u64], beyond: u64) {
    let larger = usize::from(bits[1] > bits[0]);
    let uneven = (bits[larger] - bits[1 - larger]).min(beyond);
    bits[larger] -= uneven;
    let half = (beyond - uneven) / 2;
    bits[1 - larger] -= half;
    bits[larger] -= beyond - uneven - half;
}

/// The logarithm of a sum.
fn sum_of_logs(logs: impl IntoIterator<Item = f64> + Clone) -> f64 {
    let most = logs.clone().into_iter().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    most + libm::log(logs.into_iter().map(|log| libm::exp(log - most)).sum())
}

/// The logarithm of a mean; 0, which is a bet on nothing, if there is none.
fn mean_of_logs(logs: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = logs.collect();
    if logs.is_empty() { 0.0 } else { sum_of_logs(logs.iter().copied()) - libm::log(logs.len() as f64) }
}

#[cfg(test)]
mod tests;
