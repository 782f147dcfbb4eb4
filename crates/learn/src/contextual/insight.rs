//! What was learned, for people to look at.

use serde::Serialize;

use super::Contextual;
use super::regrid::Regrid;
use crate::best::probability_of_best;

/// What the agent believes about each cell of the experiment, and about its sources. All of it follows from reports.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Insight {
    /// Cells per axis; a cell's number counts along the last axis first.
    pub grid: Vec<u32>,
    /// The share of people in each cell.
    pub masses: Vec<f64>,
    /// Each arm's reward, in the units of the spec.
    pub arms: Vec<Arms>,
    /// The arm that is most probably best, for each cell.
    pub best: Vec<u32>,
    /// The probability that it is.
    pub probability: Vec<f64>,
    /// The share of people for whom no arm is best with a probability of 0.9.
    pub undecided: f64,
    /// The length scale of each axis; 10 means that the axis does not matter.
    pub lengths: Vec<f64>,
    /// What each source contributed.
    pub sources: Vec<SourceInsight>,
}

/// One arm's reward function.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Arms {
    /// The mean for each cell.
    pub mean: Vec<f64>,
    /// The posterior's deviation, privacy noise included.
    pub deviation: Vec<f64>,
}

/// What became of a source.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SourceInsight {
    /// Its name.
    pub name: String,
    /// Reports from it.
    pub reports: f64,
    /// The weight that its reports have now: 1 is as much as the target's own, 0 nothing. Low means that its
    /// rewards differ.
    pub weight: f64,
    /// Its part in all that is known, at that weight.
    pub share_of_information: f64,
}

/// An arm is clearly best from here on.
const DECIDED: f64 = 0.9;

impl Contextual {
    /// What was learned so far, as of the current policy.
    pub fn insight(&self) -> Insight {
        let belief = &self.belief;
        let range = self.spec.reward();
        let half = (range.width()) / 2.0;
        // For people to look at, cells are the experiment's, whatever policies tell apart.
        let way = Regrid::new(&self.grid, &belief.masses, self.spec.grid());
        let arms = belief.mean.iter().zip(&belief.deviation).map(|(mean, deviation)| Arms {
            mean: way.onwards(mean).iter().map(|sign| range.low() + half * (1.0 + sign)).collect(),
            deviation: way.onwards(deviation).iter().map(|d| half * d).collect(),
        });
        let arms: Vec<Arms> = arms.collect();
        let believed = |cell: usize| -> Vec<(f64, f64)> {
            arms.iter().map(|arm| (arm.mean[cell], arm.deviation[cell].max(1e-9))).collect()
        };
        let shown = (0..self.spec.grid().cells()).map(|cell| leader(&believed(cell)));
        let (best, probability) = shown.unzip();
        let unsure = (0..).zip(&belief.masses).filter(|(cell, _)| leader(&self.believed(*cell)).1 < DECIDED);
        Insight {
            grid: self.spec.grid().sizes().to_vec(),
            masses: way.masses().to_vec(),
            best,
            probability,
            undecided: unsure.map(|(_, mass)| mass).fold(0.0, |sum, mass| sum + mass),
            arms,
            lengths: belief.shape.lengths.iter().map(|&length| super::shape::LENGTHS[length]).collect(),
            sources: self.source_insights(),
        }
    }

    /// The arm that is most probably best, for each cell of today's policy.
    pub fn best_arms(&self) -> Vec<u32> {
        (0..self.grid.cells()).map(|cell| leader(&self.believed(cell)).0).collect()
    }

    /// The share of people in each cell of today's policy.
    pub(super) fn masses(&self) -> &[f64] {
        &self.belief.masses
    }

    /// Mean and deviation of each arm in a cell.
    fn believed(&self, cell: usize) -> Vec<(f64, f64)> {
        let arms = self.belief.mean.iter().zip(&self.belief.deviation);
        arms.map(|(mean, deviation)| (mean[cell], deviation[cell].max(1e-9))).collect()
    }

    /// How probably an arm is the best in a cell.
    pub(super) fn probability_of_best(&self, cell: usize, arm: usize) -> f64 {
        probability_of_best(&self.believed(cell), arm)
    }

    fn source_insights(&self) -> Vec<SourceInsight> {
        let weight = |source: usize| -> f64 {
            self.belief.trust.iter().map(|trust| trust.probability * trust.weights[source]).sum()
        };
        let (target, sources) = &self.information;
        let total: f64 = target + sources.iter().enumerate().map(|(s, known)| weight(s) * known).sum::<f64>();
        let named = self.spec.sources().iter().zip(&self.sources).enumerate();
        named
            .map(|(source, (declared, statistics))| SourceInsight {
                name: declared.name.clone(),
                reports: statistics.people,
                weight: weight(source),
                share_of_information: if total > 0.0 {
                    weight(source) * sources[source] / total
                } else {
                    0.0
                },
            })
            .collect()
    }
}

/// The arm most probably best of these means and deviations, and how probably.
fn leader(arms: &[(f64, f64)]) -> (u32, f64) {
    let probabilities = (0..arms.len()).map(|arm| (arm as u32, probability_of_best(arms, arm)));
    probabilities.fold((0, 0.0), |best, next| if next.1 > best.1 { next } else { best })
}
