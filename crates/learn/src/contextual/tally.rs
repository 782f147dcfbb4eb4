//! Reports of one policy, counted, and what they add to the statistics.

use reticent_privacy::oracle::{Aggregate, AggregateError, Oracle, ReportError};
use reticent_protocol::contextual::{Asked, Channel, Plan, Report};
use serde::{Deserialize, Serialize};

use super::statistics::Statistics;

/// Counts for each task of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Tally {
    tasks: Vec<Counts>,
}

/// The counts of one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Counts {
    Frequency(Aggregate),
    Signed { reports: u64, counts: Vec<u64> },
}

/// What is believed of the people while their reports are folded in.
pub(super) struct Expected<'a> {
    /// The share of people in each cell.
    pub(super) masses: &'a [f64],
    /// With sources: the share of each arm. Without: the arm follows from the task's map.
    pub(super) behaviour: Option<&'a [f64]>,
    /// Each arm's mean reward, as a sign.
    pub(super) mean: &'a [Vec<f64>],
}

/// A mean closer to an end is not believed when it is used to lower a variance.
const SUREST: f64 = 0.8;

impl Counts {
    fn new(channel: &Channel) -> Counts {
        match channel.asked() {
            Asked::Outcome(oracle) | Asked::Place(oracle) => Counts::Frequency(Aggregate::new(oracle)),
            Asked::Effect(oracle) => Counts::Signed { reports: 0, counts: vec![0; oracle.shape().cells()] },
        }
    }

    fn reports(&self) -> u64 {
        match self {
            Counts::Frequency(aggregate) => aggregate.reports(),
            Counts::Signed { reports, .. } => *reports,
        }
    }

    /// Whether these are counts of the channel's reports.
    fn fits(&self, channel: &Channel) -> bool {
        match (self, channel.asked()) {
            (Counts::Frequency(aggregate), Asked::Outcome(oracle) | Asked::Place(oracle)) => {
                oracle.estimate(aggregate).is_ok()
            }
            (Counts::Signed { reports, counts }, Asked::Effect(oracle)) => {
                counts.len() == oracle.shape().cells()
                    && counts.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count)) == Some(*reports)
            }
            _ => false,
        }
    }
}

impl Tally {
    pub(super) fn new(plan: &Plan) -> Tally {
        Tally { tasks: (0..plan.policy().tasks.len()).map(|task| Counts::new(plan.channel(task))).collect() }
    }

    pub(super) fn fits(&self, plan: &Plan) -> bool {
        self.tasks.len() == plan.policy().tasks.len()
            && self.tasks.iter().enumerate().all(|(task, counts)| counts.fits(plan.channel(task)))
    }

    pub(super) fn reports(&self) -> u64 {
        // Saturating: a damaged document may hold anything.
        self.tasks.iter().map(Counts::reports).fold(0, u64::saturating_add)
    }

    /// Counts one report, unless it is none of its task's.
    #[inline]
    pub(super) fn add(&mut self, plan: &Plan, report: &Report) -> Result<(), AggregateError> {
        let task = report.task as usize;
        let counts = self.tasks.get_mut(task).ok_or(AggregateError::Report(ReportError::OutOfRange))?;
        match (counts, plan.channel(task).asked()) {
            (Counts::Frequency(aggregate), Asked::Outcome(oracle) | Asked::Place(oracle)) => {
                aggregate.add(oracle, &report.answer)
            }
            (Counts::Signed { reports, counts }, Asked::Effect(oracle)) => {
                oracle.shape().count(&report.answer, counts)?;
                *reports += 1;
                Ok(())
            }
            _ => Err(AggregateError::OtherOracle),
        }
    }

    /// Adds all counts to the statistics, and starts anew.
    pub(super) fn fold(&mut self, plan: &Plan, expected: &Expected<'_>, into: &mut Statistics) {
        for task in 0..self.tasks.len() {
            let channel = plan.channel(task);
            if self.tasks[task].reports() == 0 {
                continue;
            }
            let counts = std::mem::replace(&mut self.tasks[task], Counts::new(channel));
            let map = expected.behaviour.is_none().then(|| plan.map(task));
            fold_task(&counts, channel, map, expected, into);
            into.people += counts.reports() as f64;
        }
    }
}

fn fold_task(
    counts: &Counts,
    channel: &Channel,
    map: Option<&[u8]>,
    expected: &Expected<'_>,
    into: &mut Statistics,
) {
    let people = counts.reports() as f64;
    match (counts, channel.asked()) {
        (Counts::Frequency(aggregate), Asked::Outcome(oracle)) => {
            // An aggregate is its oracle's, so that there is an estimate.
            let Ok(shares) = oracle.estimate(aggregate) else { return };
            let noise = 2.0 * oracle.variance(0.0, 1);
            for set in sets(channel, map, expected) {
                let [bad, good] = [shares[2 * set.symbol], shares[2 * set.symbol + 1]];
                fold_outcome(&set, people, [good - bad, good + bad], noise, expected, into);
            }
        }
        (Counts::Signed { counts, .. }, Asked::Effect(oracle)) => {
            let shares = oracle.estimate(counts);
            for set in sets(channel, map, expected) {
                // People's own variance is in it: each term is one bit.
                let weight = 1.0 / oracle.variance();
                into.arms[set.arm].add(&set.cells, weight, people, people * shares[set.symbol]);
            }
        }
        (Counts::Frequency(aggregate), Asked::Place(oracle)) => {
            let Ok(shares) = oracle.estimate(aggregate) else { return };
            let mut places = vec![Vec::new(); channel.coarse_cells()];
            (0..expected.masses.len() as u32)
                .for_each(|cell| places[channel.coarse(cell) as usize].push(cell));
            for (cells, share) in places.iter().zip(shares) {
                let mass: f64 = cells.iter().map(|&cell| expected.masses[cell as usize]).sum();
                into.place.add(cells, 1.0 / (oracle.variance(0.0, 1) + mass), people, people * share);
            }
        }
        _ => {}
    }
}

/// Good minus bad, and good plus bad. The second says how many people were really in the set: the part of the
/// first that comes from their number alone, at the mean reward believed so far, is taken out, and given back
/// later at what the masses are then.
fn fold_outcome(
    set: &Set,
    people: f64,
    [difference, sum]: [f64; 2],
    noise: f64,
    expected: &Expected<'_>,
    into: &mut Statistics,
) {
    let mean: f64 =
        set.cells.iter().map(|&c| expected.masses[c as usize] * expected.mean[set.arm][c as usize]).sum();
    let whole: f64 = set.cells.iter().map(|&c| expected.masses[c as usize]).sum();
    let mean = (mean / whole).clamp(-SUREST, SUREST);
    let believed = set.mass / (set.mass + noise);
    let part = believed * mean;
    let own = set.mass * (1.0 - mean * mean * believed * (2.0 - believed));
    let variance = noise * (1.0 + believed * believed * mean * mean) + own;
    let total = people * (difference - part * sum);
    into.arms[set.arm].add_without(&set.cells, 1.0 / variance, people, total, part);
    into.place.add(&set.cells, set.behaviour / (noise + set.mass), people * set.behaviour, people * sum);
}

/// Cells whose people answer with one symbol.
struct Set {
    arm: usize,
    symbol: usize,
    cells: Vec<u32>,
    /// The probability that a person is one of them.
    mass: f64,
    /// The share of the cells' people who got the arm.
    behaviour: f64,
}

fn sets(channel: &Channel, map: Option<&[u8]>, expected: &Expected<'_>) -> Vec<Set> {
    let arms = expected.mean.len();
    let mut cells = vec![Vec::new(); channel.coarse_cells() * arms];
    for cell in 0..expected.masses.len() as u32 {
        let here = channel.coarse(cell) as usize * arms;
        match map {
            Some(map) => cells[here + map[cell as usize] as usize].push(cell),
            None => cells[here..here + arms].iter_mut().for_each(|set| set.push(cell)),
        }
    }
    let occupied = cells.into_iter().enumerate().filter(|(_, cells)| !cells.is_empty());
    occupied
        .map(|(symbol, cells)| {
            let arm = symbol % arms;
            let behaviour = expected.behaviour.map_or(1.0, |shares| shares[arm]);
            let mass = behaviour * cells.iter().map(|&cell| expected.masses[cell as usize]).sum::<f64>();
            Set { arm, symbol, cells, mass, behaviour }
        })
        .filter(|set| set.mass > 0.0)
        .collect()
}
