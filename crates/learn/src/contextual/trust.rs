//! Which sources speak of the same rewards as the target: a few hypotheses, weighed by how well they foresee
//! the target's reports.

use serde::{Deserialize, Serialize};

/// One hypothesis: how much each source counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Trust {
    /// 1 for a source that counts in full, 0 for one that does not, between for one that is a hint (a power
    /// prior: Ibrahim and Chen 2000).
    pub(super) weights: Vec<f64>,
    pub(super) prior: f64,
    pub(super) probability: f64,
}

/// A source that is roughly right counts as if it had so small a share of its people.
const HINT: f64 = 0.05;
const PRIOR_ALL: f64 = 0.4;
const PRIOR_NONE: f64 = 0.2;
const PRIOR_HINTS: f64 = 0.1;

impl Trust {
    pub(super) fn is_possible(&self, sources: usize) -> bool {
        self.weights.len() == sources
            && self.weights.iter().all(|weight| (0.0..=1.0).contains(weight))
            && self.prior > 0.0
            && self.prior <= 1.0
            && (0.0..=1.0).contains(&self.probability)
    }
}

/// All hypotheses about `sources` sources: all, none, all as hints; with several, also each alone and all but one.
pub(super) fn hypotheses(sources: usize) -> Vec<Trust> {
    let trust = |weights: Vec<f64>, prior: f64| Trust { weights, prior, probability: prior };
    if sources == 0 {
        return vec![trust(Vec::new(), 1.0)];
    }
    let mut some: Vec<Vec<f64>> = Vec::new();
    let only = |source: usize, inside: f64, outside: f64| -> Vec<f64> {
        (0..sources).map(|other| if other == source { inside } else { outside }).collect()
    };
    if sources >= 2 {
        some.extend((0..sources).map(|source| only(source, 1.0, 0.0)));
    }
    if sources >= 3 {
        some.extend((0..sources).map(|source| only(source, 0.0, 1.0)));
    }
    let left = 1.0 - PRIOR_ALL - PRIOR_NONE - PRIOR_HINTS;
    let each = if some.is_empty() { 0.0 } else { left / some.len() as f64 };
    let scale = if some.is_empty() { 1.0 / (1.0 - left) } else { 1.0 };
    let mut all = vec![
        trust(vec![1.0; sources], PRIOR_ALL * scale),
        trust(vec![0.0; sources], PRIOR_NONE * scale),
        trust(vec![HINT; sources], PRIOR_HINTS * scale),
    ];
    all.extend(some.into_iter().map(|weights| trust(weights, each)));
    all
}

/// The hypothesis that a uniform draw in [0, 1) picks.
pub(super) fn draw(trust: &[Trust], mut uniform: f64) -> usize {
    for (i, hypothesis) in trust.iter().enumerate() {
        if uniform < hypothesis.probability {
            return i;
        }
        uniform -= hypothesis.probability;
    }
    trust.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priors_are_probabilities_and_every_source_can_be_left_out() {
        for sources in 0..9 {
            let all = hypotheses(sources);
            let total: f64 = all.iter().map(|trust| trust.prior).sum();
            assert!((total - 1.0).abs() < 1e-12, "{sources}: {total}");
            assert!((0..sources).all(|s| all.iter().any(|t| t.weights[s] == 0.0)));
            assert_eq!(draw(&all, 0.999_999_999_999_999), all.len() - 1);
            assert_eq!(draw(&all, 0.0), 0);
        }
    }
}
