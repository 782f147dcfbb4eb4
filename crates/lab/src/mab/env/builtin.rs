//! The paper's three instances: 20 arms with means 0.9, five each of 0.8, 0.7 and 0.6, and four of 0.5.
//!
//! The worst come first: several agents break ties towards the first arm, and must gain nothing by it.

use super::{Environment, Reward};

/// A built-in environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "`summary` says what each is")]
pub enum Builtin {
    MabBernoulli,
    MabMixed,
    MabGaussian,
}

const MEANS: [(f64, usize); 5] = [(0.5, 4), (0.6, 5), (0.7, 5), (0.8, 5), (0.9, 1)];

impl Builtin {
    /// All of them.
    pub const ALL: [Builtin; 3] = [Builtin::MabBernoulli, Builtin::MabMixed, Builtin::MabGaussian];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Builtin::MabBernoulli => "mab-bernoulli",
            Builtin::MabMixed => "mab-mixed",
            Builtin::MabGaussian => "mab-gaussian",
        }
    }

    /// One line on what it is.
    pub fn summary(self) -> &'static str {
        match self {
            Builtin::MabBernoulli => {
                "20 arms, means 0.9 to 0.5, yes-or-no rewards (Ren et al. 2020, Figure 1 a-d)"
            }
            Builtin::MabMixed => "the same means, rewards of several laws in [0, 1] (Figure 1 e-f)",
            Builtin::MabGaussian => "the same means, normal rewards with variance 1, unbounded (Figure 2)",
        }
    }

    /// The environment itself.
    pub fn environment(self) -> Environment {
        let arms: Vec<Reward> =
            MEANS.iter().flat_map(|&(mean, count)| vec![self.reward(mean); count]).collect();
        let labels = (0..arms.len()).map(|arm| format!("arm {arm}")).collect();
        Environment::new(self.name().to_string(), arms, labels)
    }

    pub(super) fn names() -> String {
        Builtin::ALL.map(Builtin::name).join(", ")
    }

    fn reward(self, mean: f64) -> Reward {
        match self {
            Builtin::MabGaussian => Reward::Gaussian { mean, sd: 1.0 },
            Builtin::MabMixed if mean == 0.8 => Reward::Beta { alpha: 4.0, beta: 1.0 },
            Builtin::MabMixed if mean == 0.7 => {
                Reward::TwoPoint { low: 0.4, high: 1.0, high_probability: 0.5 }
            }
            Builtin::MabMixed if mean == 0.5 => Reward::Uniform { low: 0.0, high: 1.0 },
            Builtin::MabBernoulli | Builtin::MabMixed => Reward::Bernoulli { mean },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_means_are_the_papers() {
        for builtin in Builtin::ALL {
            let env = Environment::open(builtin.name()).unwrap();
            assert_eq!(env.arms(), 20);
            let expected: Vec<f64> = MEANS.iter().flat_map(|&(mean, count)| vec![mean; count]).collect();
            assert!(env.means().iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12));
            assert_eq!(env.is_unit(), builtin != Builtin::MabGaussian);
        }
    }
}
