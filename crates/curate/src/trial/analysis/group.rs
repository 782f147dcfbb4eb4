//! People whose sums are known: everyone, or a stratum. Means and variances of their arms, with the noise in them.

use super::view::{Measured, View};

/// The variance of an outcome in [0, 1] is between these.
pub(super) const LARGEST: f64 = 0.25;
const LEAST: f64 = 1e-4;

#[derive(Debug, Clone, Default)]
pub(super) struct Group {
    pub(super) view: View,
    /// For each arm: people with an outcome.
    pub(super) seen: Vec<Measured>,
    /// Squares about the middle of the range: one sum for two arms, one for each of more, none of binary outcomes.
    pub(super) squares: Vec<Measured>,
    /// Sums of y (1 - y) in their place, where those are known.
    pub(super) middles: Vec<Measured>,
    /// What was taken off outcomes.
    pub(super) centre: f64,
}

impl Group {
    fn people(&self, arm: usize) -> f64 {
        self.seen[arm].value.max(0.5)
    }

    /// The mean of an arm about the centre.
    pub(super) fn mean(&self, arm: usize) -> f64 {
        (self.view.sum_of(arm).value / self.people(arm)).clamp(-self.centre, 1.0 - self.centre)
    }

    /// The variance of the noise in it.
    fn mean_noise(&self, arm: usize) -> f64 {
        let (mean, people) = (self.mean(arm), self.people(arm));
        (self.view.sum_of(arm).noise + mean * mean * self.seen[arm].noise) / (people * people)
    }

    /// The variance of an outcome on an arm, and the variance that noise gives to it.
    pub(super) fn spread(&self, arm: usize) -> (f64, f64) {
        if !(self.squares.is_empty() && self.middles.is_empty()) {
            let (variance, error) = self.spread_by_squares(arm);
            let least = LEAST.max(error.sqrt() / 2.0).min(LARGEST);
            return (variance.clamp(least, LARGEST), error);
        }
        let mean = (self.mean(arm) + self.centre).clamp(0.0, 1.0);
        let (people, doubt) = (self.people(arm), self.mean_noise(arm));
        let slope = 1.0 - 2.0 * mean;
        // One success and one failure more (Agresti and Caffo): an arm without successes is not surely so.
        let nearer = (mean * people + 1.0) / (people + 2.0);
        let error = slope * slope * doubt;
        ((nearer * (1.0 - nearer)).max(LEAST).max(error.sqrt() / 2.0).min(LARGEST), error)
    }

    /// The mean square less the square of the mean. Two arms have one variance, weighed as in the signed sum:
    /// what its own variance needs, whichever arm varies more.
    fn spread_by_squares(&self, arm: usize) -> (f64, f64) {
        let parts: Vec<(usize, f64)> = match self.view.signs {
            Some(signs) => (0..2).map(|arm| (arm, signs[arm] * signs[arm] * self.people(arm))).collect(),
            None => vec![(arm, self.people(arm))],
        };
        let all: f64 = parts.iter().map(|part| part.1).sum();
        let place = if parts.len() > 1 { 0 } else { arm };
        let (mut variance, mut error) = match self.middles.get(place) {
            // 1/4 less y (1 - y) is the square about the middle: the quarter is of people who are counted with noise.
            Some(middle) => {
                let inside = middle.value / all;
                let weight = |arm: usize| self.view.signs.map_or(1.0, |signs| libm::pow(signs[arm], 4.0));
                let noise: f64 = parts.iter().map(|&(arm, _)| weight(arm) * self.seen[arm].noise).sum();
                (LARGEST - inside, (middle.noise + inside * inside * noise) / (all * all))
            }
            None => (self.squares[place].value / all, self.squares[place].noise / (all * all)),
        };
        for (arm, part) in parts {
            let (part, off, doubt) = (part / all, self.mean(arm) + self.centre - 0.5, self.mean_noise(arm));
            // The noise of a mean makes its square too large; both arms' noise may be the pooled sum's.
            variance -= part * (off * off - doubt);
            error += part * (4.0 * off * off * doubt + 2.0 * doubt * doubt);
        }
        (variance, error)
    }
}
