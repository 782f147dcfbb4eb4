//! Signs of forged reports in a log, each with a stated rate of false alarms, and what is done about the one that would
//! move prices most.
//!
//! A device draws its question evenly, and no record makes a report likelier than the channel allows: counts beyond
//! either are tested by Chernoff's bound, which holds for any number of reports. And few people buy what few others
//! buy for less: a log whose outcomes fall with the price and rise again at its upper end says so of few records, which
//! may be forged; prices beyond the fall are then not asked for.

use reticent_privacy::oracle::Oracle;
use serde::Serialize;

use super::fit::Fitted;
use super::objective::Objective;
use super::overlap::THIN;
use super::rising::Rise;
use super::tally::Tally;
use crate::mab::bernoulli_kl;

/// How often a log of honest reports shows any of the signs: proved for counts, which have half of it, and as good as
/// the posterior's deviations for rises.
pub const FALSE_ALARMS: f64 = 0.001;
/// Deviations by which outcomes must rise again, of all pairs of prices: of at most 120 pairs one honest log in two
/// thousand has one, if the posterior's deviations are right.
const SURELY: f64 = 4.5;

/// Deviations by which they must rise again for prices beyond not to be asked for. No alarm is raised by it, so it may
/// be low: where demand is honest, a rise by chance is where few buy, and no price is asked for there anyway.
const DOUBTFUL: f64 = 1.0;

/// A sign of forged reports.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
#[non_exhaustive]
pub enum Sign {
    /// More reports to a question than devices draw.
    Question {
        /// The question's number.
        question: usize,
        /// Reports that came.
        reports: u64,
        /// How many should have.
        expected: f64,
    },
    /// A report that is more frequent than any record makes it.
    Output {
        /// The question's number.
        question: usize,
        /// The report's number.
        output: usize,
    },
    /// Outcomes that fall with the price up to one and rise again beyond it.
    RisesAgain {
        /// Where outcomes are lowest.
        from: f64,
        /// A dearer one, which more seem to buy.
        to: f64,
    },
}

impl std::fmt::Display for Sign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Sign::Question { question, reports, expected } => write!(
                f,
                "question {question} has {reports} reports where about {expected:.0} are drawn; some are forged"
            ),
            Sign::Output { question, output } => write!(
                f,
                "report {output} to question {question} is more frequent than any record makes it; some are forged"
            ),
            Sign::RisesAgain { from, to } => write!(
                f,
                "outcomes fall up to a price of {from:.4} and rise again towards {to:.4}: a few forged reports would do \
                 that; no price beyond is asked for"
            ),
        }
    }
}

/// Signs in the counts alone.
pub fn signs(tallies: &[Tally]) -> Vec<Sign> {
    let tests: usize = tallies.iter().map(|tally| tally.counts().len() + tally.spec().channels().len()).sum();
    // Half of the false alarms are left to rises.
    let limit = libm::log(2.0 * tests.max(1) as f64 / FALSE_ALARMS);
    let exceeds = |count: u64, of: u64, most: f64| {
        let (count, of) = (count as f64, of as f64);
        count > most * of && of * bernoulli_kl(count / of, most) > limit
    };
    let mut signs = Vec::new();
    for tally in tallies {
        let questions = tally.spec().channels().len();
        for (question, channel) in tally.spec().channels().iter().enumerate() {
            let counts = &tally.counts()[tally.spec().codes_of(question)];
            let (reports, all) = (counts.iter().sum::<u64>(), tally.reports());
            let expected = all as f64 / questions as f64;
            if questions > 1 && exceeds(reports, all, 1.0 / questions as f64) {
                signs.push(Sign::Question { question, reports, expected });
            }
            let Some(most) = likeliest(channel.oracle()) else { continue };
            let found = counts.iter().position(|&count| reports > 0 && exceeds(count, reports, most));
            signs.extend(found.map(|output| Sign::Output { question, output }));
        }
    }
    signs
}

/// The largest probability that a report can have; none if there are too many to list, or only one.
fn likeliest(oracle: &impl Oracle) -> Option<f64> {
    let law = oracle.law(oracle.domain().clip(0))?;
    let heaviest = law.iter().map(|(_, weight)| weight).max()?;
    let heavy = law.iter().filter(|(_, weight)| weight == heaviest).count();
    // Two levels, whose odds are at most e^epsilon.
    let odds = libm::exp(oracle.epsilon().value());
    let most = odds / (heavy as f64 * odds + (law.len() - heavy) as f64);
    (most < 1.0 && heavy < law.len()).then_some(most)
}

impl Fitted {
    /// Where outcomes fall with the price and surely rise again, over the log's own people; none if they do not.
    pub fn rises_again(&self, objective: &Objective) -> Option<Sign> {
        let Rise { low, high, before } = self.surest_rise(objective, SURELY)?;
        // A log whose outcomes rise from the start is another matter: what it says of prices is wrong throughout.
        before.then_some(Sign::RisesAgain { from: low, to: high })
    }

    /// The last price before the log's outcomes rise again; the highest of all if they do not.
    pub(super) fn last_price(&self, objective: &Objective) -> f64 {
        match self.surest_rise(objective, DOUBTFUL) {
            Some(Rise { low, before: true, .. }) => low,
            _ => f64::INFINITY,
        }
    }

    /// Whether a place of the prices has records enough to be judged.
    pub(super) fn has_records(&self, place: f64) -> bool {
        let cells = self.axes.price().cells.len();
        let cell = ((place * cells as f64) as usize).min(cells - 1);
        let share: f64 = self.density.masses.iter().skip(cell).step_by(cells).sum();
        share * cells as f64 >= THIN
    }
}
