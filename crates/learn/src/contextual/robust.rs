//! How far forged reports could have moved what is known: no test can exclude those who follow the public coins and
//! lie.
//!
//! A group of a question has the share g of people. What forgers add to the share of people whose reward was good,
//! minus those whose was bad, is at most their own share m times the influence c of a report. So the mean rewards of
//! two arms there, in units of their range, come no closer than m c / g: a lead of d stands while fewer than d g / c
//! forge.

use reticent_privacy::forged::Influence;
use reticent_protocol::contextual::{Asked, Channel};
use serde::Serialize;

use super::Contextual;

/// Shares of forgers that are told.
const SHARES: [f64; 3] = [0.01, 0.05, 0.1];

/// What forgers could have done.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Robustness {
    /// The groups of people that the finest question of the current policy tells apart.
    pub groups: usize,
    /// For some shares of forgers, for whom the best arm may be another one.
    pub moved: Vec<Moved>,
}

/// What one share of forgers could have done.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Moved {
    /// The share.
    pub share: f64,
    /// The share of people in groups of which so many forgers, if they all aim at it, can have changed the best arm.
    pub people: f64,
}

impl Contextual {
    /// How far forged reports could have moved what it knows.
    pub fn robustness(&self) -> Robustness {
        let plan = self.plan();
        let asked =
            (0..plan.policy().tasks.len()).filter_map(|task| Some((influence(plan.channel(task))?, task)));
        let finest = asked.max_by_key(|(_, task)| plan.channel(*task).coarse_cells());
        let Some((influence, task)) = finest else {
            return Robustness { groups: 0, moved: Vec::new() };
        };
        let groups = self.groups(plan.channel(task));
        let moved = SHARES.map(|share| {
            let moved = groups.iter().filter(|(mass, lead)| lead * mass < share * influence);
            Moved { share, people: moved.map(|(mass, _)| mass).sum() }
        });
        Robustness { groups: groups.len(), moved: moved.to_vec() }
    }

    /// The share of people in each group, and by how much of the range its best arm leads.
    fn groups(&self, channel: &Channel) -> Vec<(f64, f64)> {
        let mut groups = vec![(0.0, vec![0.0; self.belief.mean.len()]); channel.coarse_cells()];
        for (cell, &mass) in (0..).zip(&self.belief.masses) {
            let (all, arms) = &mut groups[channel.coarse(cell) as usize];
            *all += mass;
            for (sum, mean) in arms.iter_mut().zip(&self.belief.mean) {
                *sum += mass * mean[cell as usize];
            }
        }
        let lead = |(mass, mut arms): (f64, Vec<f64>)| {
            arms.sort_by(|a, b| b.total_cmp(a));
            // Means are signs, from -1 to 1.
            (mass, (arms[0] - arms[1]) / (2.0 * mass))
        };
        groups.into_iter().filter(|(mass, _)| *mass > 0.0).map(lead).collect()
    }
}

/// What a report can add to good minus bad, of a question about outcomes.
fn influence(channel: &Channel) -> Option<f64> {
    match channel.asked() {
        Asked::Effect(oracle) => Some(Influence::of_signed(oracle).highest),
        Asked::Outcome(oracle) => Some(Influence::of_symbol(oracle).width()),
        Asked::Place(_) => None,
    }
}
