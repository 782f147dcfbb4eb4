//! What each person contributes to a release, chosen from public things alone: the plan, the number of people and the
//! noise.
//!
//! A person at w with reward y contributes a vector of four parts: y times waves at w (what is to be learned), faster
//! waves at w (where people are and which actions they got), y squared (how much rewards vary), and whether y was
//! clipped. Its length is at most one, whoever it is (`guarantee.md`).

use faer::Mat;
use reticent_privacy::VectorSum;
use serde::{Deserialize, Serialize};

use super::ReleaseError;
use crate::kernel::spectrum::{Spectrum, Structure, largest_waves};
use crate::kernel::{KernelSpec, Points, Population, Records, Waves, blocks};

/// The squared length that the parts have, of one: where people are ...
const PLACES: f64 = 0.25;
/// ... how much rewards vary, and whether one was clipped. The rest is the function's.
const VARIES: f64 = 0.01;
const CLIPPED: f64 = 0.01;
/// The share of the function's part that goes evenly to all waves: it may be rougher than the plan says.
const EVEN: f64 = 0.1;
/// The size of the function that shares are chosen for, and of how people depart from what is declared.
const USUAL: f64 = 0.25;
/// What an error counts for when shares are chosen, in what moves all actions alike, which decides nothing, ...
const IDLE: f64 = 0.1;
/// ... and in what tells actions apart for everybody; 1 in what does so for some.
const DECISIVE: f64 = 3.0;
/// A constant that rewards have in common, as a variance.
pub(super) const OFFSET: f64 = 0.5;

/// What people contribute.
#[derive(Debug, Clone, PartialEq)]
pub struct Sketch {
    setting: KernelSpec,
    population: Population,
    people: u64,
    parts: Parts,
}

/// The parts of a contribution, as a release stores them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Parts {
    pub(super) waves: Waves,
    /// Squared weights of the constant and of the first waves, of each coordinate.
    pub(super) function: Vec<f64>,
    /// Squared weights of the first waves as they tell places.
    pub(super) places: Vec<f64>,
    /// Squared weights of the squared reward, and of its having been clipped.
    pub(super) varies: f64,
    pub(super) clipped: f64,
}

impl Parts {
    /// Waves of the function.
    pub(super) fn rough(&self) -> usize {
        self.function.len().saturating_sub(1)
    }

    /// How many numbers a contribution has.
    pub(super) fn numbers(&self) -> usize {
        1 + 2 * self.rough() + 2 * self.places.len() + 2
    }

    /// The largest squared length of a contribution.
    fn length(&self) -> f64 {
        let pairs = |weights: &[f64]| 2.0 * weights.iter().sum::<f64>();
        let function =
            self.function.first().copied().unwrap_or(0.0) + pairs(self.function.get(1..).unwrap_or(&[]));
        function + pairs(&self.places) + self.varies + self.clipped
    }

    /// Whether they are a contribution of a plan that is no longer than one.
    pub(super) fn fit(&self, setting: &KernelSpec) -> bool {
        let weights = self.function.iter().chain(&self.places).chain([&self.varies, &self.clipped]);
        self.waves.fit(setting)
            && !self.function.is_empty()
            && self.rough().max(self.places.len()) <= self.waves.len()
            && weights.clone().all(|weight| *weight > 0.0 && *weight <= 1.0)
            && self.length() <= 1.0 + 1e-9
    }
}

impl Sketch {
    /// The sketch for this many people and noise of standard deviation `sigma` on each number of the sum.
    pub fn new(setting: &KernelSpec, population: &Population, people: u64, sigma: f64) -> Sketch {
        let rank = setting.draft().kernel.rank;
        let clear = people as f64 / sigma.max(1e-9);
        // As many as can be seen through the noise, about.
        let places = (0.1 * PLACES * clear * clear / 2.0).max(8.0).min(rank.max(1) as f64) as usize;
        let waves = largest_waves(setting, places.max(rank.saturating_sub(1) / 2));
        let rough = waves.len().min(rank.saturating_sub(1) / 2);
        let places = waves.len().min(places);
        let kernel = setting.kernel();
        let spectrum = Spectrum::new(&waves, waves.len(), setting, kernel, 0.5, Structure::MIXED);
        let mut priors: Vec<f64> = spectrum.variances.iter().map(|share| USUAL * share).collect();
        priors[0] += OFFSET;
        let share = 1.0 - PLACES - VARIES - CLIPPED;
        let worths = worths(&waves.frequencies()[..rough], setting.actions());
        let function = function_weights(&worths, &priors[..=2 * rough], share, clear);
        let along: Vec<f64> = (0..places).map(|wave| priors[1 + 2 * wave]).collect();
        let parts =
            Parts { function, places: place_weights(&along, clear), varies: VARIES, clipped: CLIPPED, waves };
        Sketch { setting: setting.clone(), population: population.clone(), people, parts }
    }

    /// The sketch that a release was made with.
    pub(super) fn again(setting: &KernelSpec, population: &Population, people: u64, parts: &Parts) -> Sketch {
        Sketch { setting: setting.clone(), population: population.clone(), people, parts: parts.clone() }
    }

    pub(super) fn parts(&self) -> &Parts {
        &self.parts
    }

    /// How many numbers are released.
    pub fn rank(&self) -> usize {
        self.parts.numbers()
    }

    /// The number of people.
    pub fn people(&self) -> u64 {
        self.people
    }

    /// The plan.
    pub fn setting(&self) -> &KernelSpec {
        &self.setting
    }

    /// Where contexts come from.
    pub fn population(&self) -> &Population {
        &self.population
    }

    /// Adds what each record contributes.
    pub(super) fn add(
        &self,
        sum: &mut VectorSum,
        records: &Records,
        threads: usize,
    ) -> Result<(), ReleaseError> {
        Ok(blocks::add_rows(sum, records.len(), threads, |numbers| {
            let points = records.points().range(numbers.clone());
            self.contributions(&points, &records.rewards()[numbers.clone()], &records.beyond()[numbers])
        })?)
    }

    /// A row for each record.
    fn contributions(&self, points: &Points, rewards: &[f64], beyond: &[bool]) -> Mat<f64> {
        let Parts { waves, function, places, varies, clipped } = &self.parts;
        let rough = self.parts.rough();
        let rows = waves.rows(points, rough.max(places.len()));
        let mut out = Mat::zeros(points.len(), self.rank());
        for place in 0..=2 * rough {
            let weight = function[place.div_ceil(2)].sqrt();
            let pairs = rows.col_as_slice(place).iter().zip(rewards);
            let entries = out.col_as_slice_mut(place).iter_mut().zip(pairs);
            entries.for_each(|(entry, (wave, reward))| *entry = weight * wave * reward);
        }
        let start = 1 + 2 * rough;
        for place in 0..2 * places.len() {
            let weight = places[place / 2].sqrt();
            let entries = out.col_as_slice_mut(start + place).iter_mut().zip(rows.col_as_slice(1 + place));
            entries.for_each(|(entry, wave)| *entry = weight * wave);
        }
        let last = self.rank() - 2;
        for (row, (reward, beyond)) in rewards.iter().zip(beyond).enumerate() {
            out[(row, last)] = varies.sqrt() * reward * reward;
            out[(row, last + 1)] = if *beyond { clipped.sqrt() } else { 0.0 };
        }
        out
    }

    /// The expected root mean square error of the surface, in units of half the rewards' range, for a function of the
    /// usual size and people who come as declared.
    pub fn expected_error(&self, sigma: f64) -> f64 {
        let (t, noise) = (self.people as f64, self.setting.draft().reward.noise);
        let rough = self.parts.rough();
        let spectrum = Spectrum::new(
            &self.parts.waves,
            rough,
            &self.setting,
            self.setting.kernel(),
            0.5,
            Structure::WHOLE,
        );
        let chance = (USUAL + noise * noise).min(1.0) * t;
        // The cube is a part of the torus: of what a wave carries people see that part.
        let seen: f64 = self.parts.waves.periods().iter().map(|period| 1.0 / period).product();
        let one = |(place, variance): (usize, &f64)| {
            let prior = (USUAL * variance).max(f64::MIN_POSITIVE);
            let weight = self.parts.function[place.div_ceil(2)];
            1.0 / (1.0 / prior + seen * t * t / (sigma * sigma / weight + chance))
        };
        (USUAL * spectrum.left + spectrum.variances.iter().enumerate().map(one).sum::<f64>()).sqrt()
    }
}

/// What each number of the function is worth to whoever decides.
fn worths(frequencies: &[Vec<i32>], actions: usize) -> Vec<f64> {
    let still = |part: &[i32]| part.iter().all(|&times| times == 0);
    let one = |frequency: &Vec<i32>| match frequency.split_at(actions) {
        (along, _) if still(along) => IDLE,
        (_, across) if still(across) => DECISIVE,
        _ => 1.0,
    };
    std::iter::once(IDLE).chain(frequencies.iter().flat_map(|frequency| [one(frequency); 2])).collect()
}

/// Most to the waves about which most is learned that decides, some to all.
fn function_weights(worths: &[f64], priors: &[f64], share: f64, clear: f64) -> Vec<f64> {
    let best = poured(worths, priors, share * clear * clear);
    let even = 1.0 / priors.len() as f64;
    let mixed = best.into_iter().map(|weight| share * ((1.0 - EVEN) * weight + EVEN * even));
    mixed.enumerate().filter(|(place, _)| place.div_ceil(2) * 2 == *place).map(|(_, weight)| weight).collect()
}

/// Half to the waves that matter most for the function, half by how much they matter.
fn place_weights(priors: &[f64], clear: f64) -> Vec<f64> {
    let vague = vec![USUAL; priors.len()];
    let best = poured(priors, &vague, 2.0 * PLACES * clear * clear);
    let roots: f64 = priors.iter().map(|prior| prior.sqrt()).sum();
    let both = best.iter().zip(priors).map(|(best, prior)| 0.5 * best + 0.5 * prior.sqrt() / roots);
    both.map(|weight| (PLACES * weight / 2.0).max(f64::MIN_POSITIVE)).collect()
}

/// Shares of one that make sum gain / (1/prior + clear * share) least: water is poured onto uneven ground.
fn poured(gains: &[f64], priors: &[f64], clear: f64) -> Vec<f64> {
    let shares = |level: f64| -> Vec<f64> {
        let one = |(gain, prior): (&f64, &f64)| {
            ((gain * clear).sqrt() * level - 1.0 / prior.max(1e-12)).max(0.0) / clear
        };
        gains.iter().zip(priors).map(one).collect()
    };
    let (mut low, mut high) = (1e-9_f64, 1e12_f64);
    for _ in 0..120 {
        let level = (low * high).sqrt();
        if shares(level).iter().sum::<f64>() > 1.0 { high = level } else { low = level }
    }
    let shares = shares(high);
    let total: f64 = shares.iter().sum();
    shares.into_iter().map(|share| share / total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::tests::made::{records, ridge, setting};

    #[test]
    fn no_contribution_is_longer_than_one_and_none_wastes_much() {
        for people in [1, 100, 10_000, 1_000_000] {
            let sketch = Sketch::new(&setting(), &Population::Uniform, people, 8.0);
            assert!((sketch.parts.length() - 1.0).abs() < 1e-9 && sketch.parts.fit(&setting()));
            let log = records(200, 2, 2.0, 1, ridge);
            let rows = sketch.contributions(log.points(), log.rewards(), log.beyond());
            let squares: Vec<f64> = rows.row_iter().map(|row| row.iter().map(|x| x * x).sum()).collect();
            assert!(squares.iter().all(|square| *square <= 1.0 + 1e-12), "{squares:?}");
            assert!(squares.iter().any(|square| *square > 0.98), "a clipped reward uses all of it");
        }
    }

    #[test]
    fn what_decides_for_everybody_gets_most() {
        let found = worths(&[vec![0, 1], vec![1, 0], vec![1, -1]], 1);
        assert_eq!(found, [IDLE, IDLE, IDLE, DECISIVE, DECISIVE, 1.0, 1.0]);
        let shares = function_weights(&found, &[0.1; 7], 1.0, 100.0);
        assert!(shares[0] < shares[3] && shares[3] < shares[2], "{shares:?}");
    }

    #[test]
    fn water_lies_level() {
        let (gains, priors) = ([1.0, 1.0, 4.0], [1.0, 0.001, 1.0]);
        let shares = poured(&gains, &priors, 100.0);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12 && shares[1] == 0.0, "{shares:?}");
        let slope = |i: usize| gains[i] / (1.0 / priors[i] + 100.0 * shares[i]).powi(2);
        assert!((slope(0) / slope(2) - 1.0).abs() < 1e-6, "what one more drop gains is the same");
    }
}
