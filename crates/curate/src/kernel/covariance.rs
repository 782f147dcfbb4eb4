//! Kernels: how alike the rewards at two points are taken to be.

use faer::{Mat, MatMut};
use serde::{Deserialize, Serialize};

use super::Points;

/// The shape of a kernel in the scaled distance r.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// exp(-r): continuous functions with kinks.
    #[serde(rename = "matern-1/2")]
    MaternHalf,
    /// (1 + a) exp(-a), a = sqrt(3) r: functions with a slope.
    #[serde(rename = "matern-3/2")]
    MaternThreeHalves,
    /// (1 + a + a^2/3) exp(-a), a = sqrt(5) r: functions with a curvature.
    #[serde(rename = "matern-5/2")]
    MaternFiveHalves,
    /// exp(-r^2/2): functions with all derivatives.
    SquaredExponential,
}

impl Family {
    /// All of them.
    pub const ALL: [Family; 4] =
        [Family::MaternHalf, Family::MaternThreeHalves, Family::MaternFiveHalves, Family::SquaredExponential];

    /// The kernel at the squared scaled distance `square`.
    #[inline]
    fn of_square(self, square: f64) -> f64 {
        match self {
            Family::MaternHalf => libm::exp(-square.sqrt()),
            Family::MaternThreeHalves => {
                let a = (3.0 * square).sqrt();
                (1.0 + a) * libm::exp(-a)
            }
            Family::MaternFiveHalves => {
                let a = (5.0 * square).sqrt();
                (1.0 + a + 5.0 / 3.0 * square) * libm::exp(-a)
            }
            Family::SquaredExponential => libm::exp(-0.5 * square),
        }
    }
}

/// A kernel of some inputs, in units of their own length scales.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Factor {
    /// The shape.
    pub family: Family,
    /// How far one must go along each input, as a share of its range, until rewards differ much.
    pub lengths: Vec<f64>,
}

/// A product of kernels over consecutive groups of inputs, each input scaled to [0, 1]. Its value at a point
/// and itself is 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Factor>", into = "Vec<Factor>")]
pub struct Kernel {
    factors: Vec<Factor>,
}

/// Why there is no such kernel.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum KernelError {
    /// No inputs.
    #[error("a kernel needs at least one input")]
    Empty,
    /// A length that is not a length.
    #[error("a length scale is {got}; it must be a share of the input's range between 0.001 and 1000")]
    Length {
        /// What it was.
        got: f64,
    },
}

impl TryFrom<Vec<Factor>> for Kernel {
    type Error = KernelError;
    fn try_from(factors: Vec<Factor>) -> Result<Kernel, KernelError> {
        Kernel::new(factors)
    }
}

impl From<Kernel> for Vec<Factor> {
    fn from(kernel: Kernel) -> Vec<Factor> {
        kernel.factors
    }
}

impl Kernel {
    /// The product of `factors`, over as many inputs as they have lengths together.
    pub fn new(factors: Vec<Factor>) -> Result<Kernel, KernelError> {
        if factors.is_empty() || factors.iter().any(|factor| factor.lengths.is_empty()) {
            return Err(KernelError::Empty);
        }
        match factors.iter().flat_map(|factor| &factor.lengths).find(|length| !(1e-3..=1e3).contains(*length))
        {
            Some(&got) => Err(KernelError::Length { got }),
            None => Ok(Kernel { factors }),
        }
    }

    /// One kernel of the distance in all inputs, with a length for each.
    pub fn joint(family: Family, lengths: &[f64]) -> Result<Kernel, KernelError> {
        Kernel::new(vec![Factor { family, lengths: lengths.to_vec() }])
    }

    /// A product of kernels of one input each.
    pub fn product(family: Family, lengths: &[f64]) -> Result<Kernel, KernelError> {
        Kernel::new(lengths.iter().map(|&length| Factor { family, lengths: vec![length] }).collect())
    }

    /// The factors.
    pub fn factors(&self) -> &[Factor] {
        &self.factors
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.factors.iter().map(|factor| factor.lengths.len()).sum()
    }

    /// Every input's length scale.
    pub fn lengths(&self) -> impl Iterator<Item = f64> {
        self.factors.iter().flat_map(|factor| factor.lengths.iter().copied())
    }

    /// The same shape with other lengths.
    pub fn with_lengths(&self, lengths: &[f64]) -> Result<Kernel, KernelError> {
        let mut left = lengths.iter().copied();
        let factors = self.factors.iter().map(|factor| Factor {
            family: factor.family,
            lengths: left.by_ref().take(factor.lengths.len()).collect(),
        });
        Kernel::new(factors.collect())
    }

    /// The same lengths in another family.
    #[must_use]
    pub fn in_family(&self, family: Family) -> Kernel {
        let factors = self.factors.iter().map(|factor| Factor { family, lengths: factor.lengths.clone() });
        Kernel { factors: factors.collect() }
    }

    /// The same lengths in the families of another kernel.
    pub(super) fn in_family_of(&self, other: &Kernel) -> Kernel {
        let pairs = self.factors.iter().zip(&other.factors);
        let factor =
            |(own, other): (&Factor, &Factor)| Factor { family: other.family, lengths: own.lengths.clone() };
        Kernel { factors: pairs.map(factor).collect() }
    }

    /// The kernel between each of `rows` and each of `columns`.
    pub fn between(&self, rows: &Points, columns: &Points) -> Mat<f64> {
        let mut out = Mat::zeros(rows.len(), columns.len());
        self.fill(rows, columns, out.as_mut());
        out
    }

    /// The same, into a matrix of that shape.
    pub fn fill(&self, rows: &Points, columns: &Points, mut out: MatMut<'_, f64>) {
        let mut squares = vec![0.0; rows.len()];
        for (column, mut values) in out.as_mut().col_iter_mut().enumerate() {
            let mut input = 0;
            for (number, factor) in self.factors.iter().enumerate() {
                squares.fill(0.0);
                for &length in &factor.lengths {
                    let (scale, there) = (1.0 / length, columns.input(input)[column]);
                    for (square, here) in squares.iter_mut().zip(rows.input(input)) {
                        let apart = (here - there) * scale;
                        *square += apart * apart;
                    }
                    input += 1;
                }
                for (value, &square) in values.as_mut().iter_mut().zip(&squares) {
                    let one = factor.family.of_square(square);
                    *value = if number == 0 { one } else { *value * one };
                }
            }
        }
    }
}
