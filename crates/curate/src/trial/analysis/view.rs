//! Published sums read in people: what they say, and how much noise is in any combination of them.

/// The noise of a published number: its variance, and its excess kurtosis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Noise {
    pub(super) variance: f64,
    pub(super) kurtosis: f64,
}

/// A number with the variance of its noise, and the noise's fourth cumulant.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Measured {
    pub(super) value: f64,
    pub(super) noise: f64,
    pub(super) fourth: f64,
}

impl Measured {
    /// A published number that has so much of each person.
    pub(super) fn new(published: f64, share: f64, noise: Noise) -> Measured {
        let variance = noise.variance / (share * share);
        Measured { value: published / share, noise: variance, fourth: noise.kurtosis * variance * variance }
    }

    pub(super) fn exact(value: f64) -> Measured {
        Measured { value, noise: 0.0, fourth: 0.0 }
    }

    pub(super) fn plus(self, other: Measured) -> Measured {
        Measured {
            value: self.value + other.value,
            noise: self.noise + other.noise,
            fourth: self.fourth + other.fourth,
        }
    }

    pub(super) fn times(self, factor: f64) -> Measured {
        let square = factor * factor;
        Measured {
            value: factor * self.value,
            noise: square * self.noise,
            fourth: square * square * self.fourth,
        }
    }

    /// Two measurements of the same, each by its precision.
    pub(super) fn average(self, other: Measured) -> Measured {
        let all = self.noise + other.noise;
        let part = if all > 0.0 { other.noise / all } else { 0.5 };
        self.times(part).plus(other.times(1.0 - part))
    }
}

/// Sums of one stratum, or of everyone: signed and pooled, or one for each arm.
#[derive(Debug, Clone, Default)]
pub(super) struct View {
    pub(super) signs: Option<[f64; 2]>,
    pub(super) sums: Vec<Measured>,
}

impl View {
    pub(super) fn add(&mut self, other: &View) {
        if self.sums.is_empty() {
            self.sums.clone_from(&other.sums);
            return;
        }
        for (sum, more) in self.sums.iter_mut().zip(&other.sums) {
            *sum = sum.plus(*more);
        }
    }

    /// The arms' sums, each with its weight, added up. The noise is that of the published numbers, which two
    /// arms may share.
    pub(super) fn combined(&self, weights: &[f64]) -> Measured {
        let of_sums = match self.signs {
            // signed = treatment part - control part; pooled = both.
            Some([control, treatment]) => {
                let both = treatment - control;
                vec![(weights[1] - weights[0]) / both, (treatment * weights[0] - control * weights[1]) / both]
            }
            None => weights.to_vec(),
        };
        let parts = self.sums.iter().zip(of_sums).map(|(sum, weight)| sum.times(weight));
        parts.fold(Measured::default(), Measured::plus)
    }

    /// One arm's sum.
    pub(super) fn sum_of(&self, arm: usize) -> Measured {
        let arms = if self.signs.is_some() { 2 } else { self.sums.len() };
        let weights: Vec<f64> = (0..arms).map(|one| f64::from(u8::from(one == arm))).collect();
        self.combined(&weights)
    }

    /// The mean over the control and another arm, about the centre, if so many people are on them.
    pub(super) fn pooled_mean(&self, control: f64, other: f64, arm: usize) -> Measured {
        let arms = if self.signs.is_some() { 2 } else { self.sums.len() };
        let taken = |one: usize| f64::from(u8::from(one == arm || one == 0));
        let weights: Vec<f64> = (0..arms).map(taken).collect();
        self.combined(&weights).times(1.0 / (control + other).max(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::super::stage::LAPLACE;
    use super::*;

    /// Both ways to publish two arms say the same about them.
    #[test]
    fn signed_sums_are_arms_sums() {
        let (control, treatment) = (3.0, -2.0);
        let signs = [-0.5, 1.0];
        let exact = |value: f64| Measured { value, noise: 1.0, fourth: LAPLACE };
        let view = View {
            signs: Some(signs),
            sums: vec![exact(signs[0] * control + signs[1] * treatment), exact(control + treatment)],
        };
        assert!((view.sum_of(0).value - control).abs() < 1e-12);
        assert!((view.sum_of(1).value - treatment).abs() < 1e-12);
        // The contrast that the signs are made for needs the signed sum alone.
        let contrast = view.combined(&[-0.5, 1.0]);
        assert!((contrast.noise - 1.0).abs() < 1e-12 && (contrast.value - view.sums[0].value).abs() < 1e-12);
    }
}
