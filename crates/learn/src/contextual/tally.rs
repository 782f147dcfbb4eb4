//! Reports of one policy, counted, and what they add to the statistics.

use reticent_privacy::oracle::{Aggregate, AggregateError, Oracle, ReportError};
use reticent_protocol::contextual::{Asked, Channel, Plan, Spec};
use reticent_protocol::{Answer, Report};
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
pub(super) enum Counts {
    Frequency(Aggregate),
    Signed { reports: u64, counts: Vec<u64> },
}

/// What is believed of the people while their reports are folded in.
pub(super) struct Expected<'a> {
    /// The share of people in each cell, and if they were spread evenly.
    pub(super) masses: &'a [f64],
    pub(super) even: &'a [f64],
    /// Who gets which arm.
    pub(super) arms: Arms<'a>,
    /// Each arm's mean reward, as a sign.
    pub(super) mean: &'a [Vec<f64>],
}

/// Who gets which arm.
#[derive(Clone, Copy)]
pub(super) enum Arms<'a> {
    /// By the task's map, hidden or not.
    Mapped(Option<Shown>),
    /// Of a source: this share of people each, whoever they are.
    Behaviour(&'a [f64]),
}

/// Private arms: the probabilities of the map's own arm, and of each other one.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    own: f64,
    other: f64,
}

impl Shown {
    /// Of an experiment whose arms are private.
    pub(super) fn of(spec: &Spec) -> Option<Shown> {
        let e = libm::exp(spec.arm_epsilon()?.value().min(NOISELESS));
        let all = e + f64::from(spec.arms()) - 1.0;
        Some(Shown { own: e / all, other: 1.0 / all })
    }
}

/// Beyond it an arm is as good as shown, and e^epsilon would overflow.
const NOISELESS: f64 = 50.0;

/// A cell of which so much is known how many people were in it is counted by itself, and by them.
const COUNTED: f64 = 0.8;

/// A mean closer to an end is not believed when it is used to lower a variance.
const SUREST: f64 = 0.8;

impl Counts {
    pub(super) fn new(channel: &Channel) -> Counts {
        match channel.asked() {
            Asked::Outcome(oracle) | Asked::Place(oracle) => Counts::Frequency(Aggregate::new(oracle)),
            Asked::Effect(oracle) => Counts::Signed { reports: 0, counts: vec![0; oracle.shape().cells()] },
        }
    }

    pub(super) fn reports(&self) -> u64 {
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

    /// The counts of each task.
    pub(super) fn tasks(&self) -> &[Counts] {
        &self.tasks
    }

    pub(super) fn tasks_mut(&mut self) -> &mut [Counts] {
        &mut self.tasks
    }

    /// Counts one report, unless it is none of its task's.
    #[inline]
    pub(super) fn add(&mut self, plan: &Plan, report: &Report) -> Result<(), AggregateError> {
        let task = report.question as usize;
        let Answer::Symbol(answer) = &report.answer else { return Err(AggregateError::OtherOracle) };
        let counts = self.tasks.get_mut(task).ok_or(AggregateError::Report(ReportError::OutOfRange))?;
        match (counts, plan.channel(task).asked()) {
            (Counts::Frequency(aggregate), Asked::Outcome(oracle) | Asked::Place(oracle)) => {
                aggregate.add(oracle, answer)
            }
            (Counts::Signed { reports, counts }, Asked::Effect(oracle)) => {
                oracle.shape().count(answer, counts)?;
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
            let map = matches!(expected.arms, Arms::Mapped(_)).then(|| plan.map(task));
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
            for set in sets(channel, map, expected) {
                // Who holds a symbol adds more noise to its count than who does not.
                let noise = 2.0 * oracle.variance(set.mass.min(1.0) / 2.0, 1);
                let [bad, good] = [shares[2 * set.symbol], shares[2 * set.symbol + 1]];
                fold_outcome(&set, people, [good - bad, good + bad], noise, expected, into);
            }
        }
        (Counts::Signed { counts, .. }, Asked::Effect(oracle)) => {
            let shares = oracle.estimate(counts);
            for set in sets(channel, map, expected) {
                // People's own variance is in it: each term is one bit.
                let weight = 1.0 / oracle.variance();
                into.arms[set.arm].add(&set.cells, &set.shares, weight, people, people * shares[set.symbol]);
            }
        }
        (Counts::Frequency(aggregate), Asked::Place(oracle)) => {
            let Ok(shares) = oracle.estimate(aggregate) else { return };
            let mut places = vec![Vec::new(); channel.coarse_cells()];
            (0..expected.masses.len() as u32)
                .for_each(|cell| places[channel.coarse(cell) as usize].push(cell));
            for (cells, share) in places.iter().zip(shares) {
                let mass: f64 = cells.iter().map(|&cell| expected.masses[cell as usize]).sum();
                into.place.add(
                    cells,
                    &[],
                    1.0 / (oracle.variance(mass.min(1.0), 1) + mass),
                    people,
                    people * share,
                );
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
    let mass = |i: usize, c: u32| expected.masses[c as usize] * set.shares.get(i).copied().unwrap_or(1.0);
    let cells = || set.cells.iter().copied().enumerate();
    let mean: f64 = cells().map(|(i, c)| mass(i, c) * expected.mean[set.arm][c as usize]).sum();
    let whole: f64 = cells().map(|(i, c)| mass(i, c)).sum();
    let mean = (mean / whole).clamp(-SUREST, SUREST);
    let believed = set.mass / (set.mass + noise);
    let part = believed * mean;
    if let ([cell], true) = (&*set.cells, set.shares.is_empty() && believed >= COUNTED) {
        let share = (believed * sum + (1.0 - believed) * set.mass).max(0.0);
        let variance = noise + share * (1.0 - mean * mean);
        if share > 0.0 {
            into.arms[set.arm].add_alone(*cell, people * share * share / variance, difference / share);
        }
        let even = expected.even[*cell as usize];
        let density = sum / set.behaviour / even;
        let weight = set.behaviour * people * even * even / (noise + set.mass.max(sum));
        into.place.add_alone(*cell, weight, density);
        return;
    }
    let own = set.mass * (1.0 - mean * mean * believed * (2.0 - believed));
    let variance = noise * (1.0 + believed * believed * mean * mean) + own;
    let total = people * (difference - part * sum);
    into.arms[set.arm].add_without(&set.cells, &set.shares, 1.0 / variance, people, total, part);
    let weight = set.behaviour / (noise + set.mass);
    into.place.add(&set.cells, &set.shares, weight, people * set.behaviour, people * sum);
}

/// Cells whose people answer with one symbol.
struct Set {
    arm: usize,
    symbol: usize,
    cells: Vec<u32>,
    /// The share of each cell's people who got the arm, if they differ; empty for all of them.
    shares: Vec<f64>,
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
        match (expected.arms, map) {
            (Arms::Mapped(None), Some(map)) => cells[here + map[cell as usize] as usize].push(cell),
            _ => cells[here..here + arms].iter_mut().for_each(|set| set.push(cell)),
        }
    }
    let shares = |arm: usize, cells: &[u32]| match (expected.arms, map) {
        (Arms::Mapped(Some(Shown { own, other })), Some(map)) => cells
            .iter()
            .map(|&cell| if usize::from(map[cell as usize]) == arm { own } else { other })
            .collect(),
        _ => Vec::new(),
    };
    let occupied = cells.into_iter().enumerate().filter(|(_, cells)| !cells.is_empty());
    occupied
        .map(|(symbol, cells)| {
            let arm = symbol % arms;
            let shares: Vec<f64> = shares(arm, &cells);
            let behaviour = if let Arms::Behaviour(shares) = expected.arms { shares[arm] } else { 1.0 };
            let share = |i: usize| shares.get(i).copied().unwrap_or(1.0);
            let masses = cells.iter().enumerate().map(|(i, &cell)| expected.masses[cell as usize] * share(i));
            let mass = behaviour * masses.sum::<f64>();
            Set { arm, symbol, cells, shares, mass, behaviour }
        })
        .filter(|set| set.mass > 0.0)
        .collect()
}
