//! How much of the context rewards depend on: nothing, each axis by itself, which side of a cut each number is on, or all of it.
//! Each is weighed by how well it foresees the reports, and each map draws one: who looks at contexts that do not
//! matter pays for it.

use serde::{Deserialize, Serialize};

use super::shape::Amplitudes;

/// What rewards depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Structure {
    /// The arm alone: a bandit without contexts.
    Arm,
    /// The arm, and each axis by itself.
    Axes,
    /// The arm, and which side of a cut each number is on.
    Blocks,
    /// All axes together.
    All,
}

impl Structure {
    pub(super) const ALL: [Structure; 4] =
        [Structure::Arm, Structure::Axes, Structure::Blocks, Structure::All];

    /// The parts that are left.
    pub(super) fn of(self, amplitudes: &Amplitudes) -> Amplitudes {
        match self {
            Structure::Arm => Amplitudes { main: 0.0, blocks: 0.0, smooth: 0.0, own: 0.0, ..*amplitudes },
            Structure::Axes => Amplitudes { blocks: 0.0, smooth: 0.0, own: 0.0, ..*amplitudes },
            Structure::Blocks => Amplitudes { main: 0.0, smooth: 0.0, own: 0.0, ..*amplitudes },
            Structure::All => *amplitudes,
        }
    }
}

/// The probability of each structure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<f64>")]
pub(super) struct Structures([f64; 4]);

/// Before any report.
const PRIOR: [f64; 4] = [0.35, 0.2, 0.15, 0.3];

/// Before halves were a structure there were three probabilities.
impl TryFrom<Vec<f64>> for Structures {
    type Error = &'static str;
    fn try_from(stored: Vec<f64>) -> Result<Structures, &'static str> {
        match *stored {
            [arm, axes, all] => Ok(Structures([arm, axes, 0.0, all])),
            [arm, axes, blocks, all] => Ok(Structures([arm, axes, blocks, all])),
            _ => Err("there are four structures"),
        }
    }
}

impl Default for Structures {
    fn default() -> Structures {
        Structures(PRIOR)
    }
}

impl Structures {
    /// By the evidence of each, in the order of [`Structure::ALL`].
    pub(super) fn weighed(evidence: [f64; 4]) -> Structures {
        let highest = evidence.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let mut weights = PRIOR;
        for (weight, evidence) in weights.iter_mut().zip(evidence) {
            *weight *= libm::exp(evidence - highest);
        }
        let total: f64 = weights.iter().sum();
        Structures(weights.map(|weight| weight / total))
    }

    /// Each structure with its probability.
    pub(super) fn each(self) -> impl Iterator<Item = (Structure, f64)> {
        Structure::ALL.into_iter().zip(self.0)
    }

    /// How probable a structure is.
    pub(super) fn probability(self, structure: Structure) -> f64 {
        self.0[structure as usize]
    }

    /// The structure that a uniform draw in [0, 1) picks.
    pub(super) fn draw(self, mut uniform: f64) -> Structure {
        for (structure, probability) in self.each() {
            if uniform < probability {
                return structure;
            }
            uniform -= probability;
        }
        Structure::All
    }

    pub(super) fn is_possible(self) -> bool {
        self.0.iter().all(|p| (0.0..=1.0).contains(p)) && (self.0.iter().sum::<f64>() - 1.0).abs() < 1e-6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_decides_and_without_any_the_prior_stays() {
        assert_eq!(Structures::weighed([-7.0; 4]).0, PRIOR);
        let found = Structures::weighed([-1000.0, -1010.0, -1020.0, -1005.0]);
        assert!(found.is_possible() && found.0[0] > 0.99 && found.0[1] < found.0[3]);
        // Three times the share of draws is three times the probability.
        let draws = (0..1000).map(|i| Structures(PRIOR).draw((f64::from(i) + 0.5) / 1000.0));
        assert_eq!(draws.filter(|structure| *structure == Structure::Axes).count(), 200);
        assert_eq!(Structures(PRIOR).draw(0.999_999_999_999_999), Structure::All);
    }

    #[test]
    fn simpler_structures_leave_parts_out() {
        let all = Amplitudes::default();
        assert_eq!(Structure::All.of(&all), all);
        let none = Amplitudes { main: 0.0, blocks: 0.0, smooth: 0.0, own: 0.0, ..all };
        assert_eq!(Structure::Axes.of(&all), Amplitudes { main: all.main, ..none });
        assert_eq!(Structure::Blocks.of(&all), Amplitudes { blocks: all.blocks, ..none });
        assert_eq!(Structure::Arm.of(&all), none);
    }
}
