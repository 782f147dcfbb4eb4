//! What a device is asked about its person: which cells are told apart, and what about them.

use reticent_privacy::Epsilon;
use reticent_privacy::oracle::{
    Domain, FrequencyOracle, Oracle, OracleError, OracleKind, Shape, SignedHadamard,
};
use serde::{Deserialize, Serialize};

use super::Grid;

/// One question. Its answer is one symbol through one oracle, with the whole epsilon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Cells of each axis that are taken together.
    pub widths: Vec<u32>,
    /// What is asked about the coarse cell.
    pub about: About,
}

/// What a symbol says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum About {
    /// Coarse cell, arm, and whether the reward was good: a frequency of each.
    Outcome {
        /// The oracle.
        oracle: OracleKind,
        /// What its reports mean: see `Oracle::design`.
        design: [u32; 2],
    },
    /// Coarse cell and arm, with the reward as a sign: good minus bad alone, at a lower variance when epsilon is small.
    Effect,
    /// The coarse cell alone: where people are.
    Place {
        /// The oracle.
        oracle: OracleKind,
        /// What its reports mean.
        design: [u32; 2],
    },
}

/// A question with its oracle built.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    /// For each cell of the grid, the coarse cell.
    coarse: Vec<u32>,
    coarse_cells: u32,
    arms: u32,
    asked: Asked,
}

/// The oracle behind a question.
#[derive(Debug, Clone, PartialEq)]
pub enum Asked {
    /// Of 2 C K symbols: cell, arm, good.
    Outcome(FrequencyOracle),
    /// Of C K signed symbols.
    Effect(SignedHadamard),
    /// Of C symbols.
    Place(FrequencyOracle),
}

/// Why a question cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QuestionError {
    /// Widths that are not the grid's.
    #[error("the question's widths do not fit the grid; the policy is of another experiment")]
    Widths,
    /// Reports would mean something else here.
    #[error(
        "the question's oracle has another design in this version of the program; update the device and the server alike"
    )]
    Design,
    /// Too many symbols.
    #[error(transparent)]
    Oracle(#[from] OracleError),
}

impl Question {
    /// The question about `widths` with the oracle that this version takes to be best.
    pub fn outcome(
        grid: &Grid,
        widths: Vec<u32>,
        arms: u32,
        epsilon: Epsilon,
    ) -> Result<Question, QuestionError> {
        // A coarse cell has one arm as long as nothing is sure: so many symbols are held, evenly.
        let held = 2 * symbols(grid, &widths, 1)?;
        let domain = Domain::new(2 * symbols(grid, &widths, arms)?)?;
        let oracle = FrequencyOracle::best_at(domain, epsilon, 1.0 / f64::from(held));
        Ok(Question { widths, about: About::Outcome { oracle: oracle.kind(), design: oracle.design() } })
    }

    /// The question for the reward as a sign.
    pub fn effect(widths: Vec<u32>) -> Question {
        Question { widths, about: About::Effect }
    }

    /// The question where people are.
    pub fn place(grid: &Grid, widths: Vec<u32>, epsilon: Epsilon) -> Result<Question, QuestionError> {
        let cells = symbols(grid, &widths, 1)?;
        let oracle = FrequencyOracle::best_at(Domain::new(cells)?, epsilon, 1.0 / f64::from(cells));
        Ok(Question { widths, about: About::Place { oracle: oracle.kind(), design: oracle.design() } })
    }

    /// The question with its oracle built; refuses widths and designs that do not fit.
    pub fn channel(&self, grid: &Grid, arms: u32, epsilon: Epsilon) -> Result<Channel, QuestionError> {
        let cells = symbols(grid, &self.widths, 1)?;
        let frequency = |kind, design: [u32; 2], symbols: u32| {
            let oracle = FrequencyOracle::new(kind, Domain::new(symbols)?, epsilon);
            if oracle.design() == design { Ok(oracle) } else { Err(QuestionError::Design) }
        };
        let asked = match self.about {
            About::Outcome { oracle, design } => {
                Asked::Outcome(frequency(oracle, design, 2 * symbols(grid, &self.widths, arms)?)?)
            }
            About::Effect => {
                let domain = Domain::new(symbols(grid, &self.widths, arms)?)?;
                Asked::Effect(SignedHadamard::new(domain, epsilon))
            }
            About::Place { oracle, design } => Asked::Place(frequency(oracle, design, cells)?),
        };
        Ok(Channel { coarse: grid.coarsened(&self.widths), coarse_cells: cells, arms, asked })
    }
}

/// Coarse cells times `times`, if the widths fit the grid.
fn symbols(grid: &Grid, widths: &[u32], times: u32) -> Result<u32, QuestionError> {
    let fit = widths.len() == grid.sizes().len()
        && widths.iter().zip(grid.sizes()).all(|(width, size)| (1..=*size).contains(width));
    if fit { Ok(grid.coarse_cells(widths) as u32 * times) } else { Err(QuestionError::Widths) }
}

impl Channel {
    /// The oracle.
    #[inline]
    pub fn asked(&self) -> &Asked {
        &self.asked
    }

    /// The coarse cell of a cell.
    #[inline]
    pub fn coarse(&self, cell: u32) -> u32 {
        self.coarse[cell as usize]
    }

    /// How many coarse cells there are.
    pub fn coarse_cells(&self) -> usize {
        self.coarse_cells as usize
    }

    /// The symbol of a cell and an arm, before the reward is added.
    #[inline]
    pub fn place_and_arm(&self, cell: u32, arm: u32) -> u32 {
        self.coarse(cell) * self.arms + arm
    }

    /// What reports look like.
    #[inline]
    pub fn shape(&self) -> Shape {
        match &self.asked {
            Asked::Outcome(oracle) | Asked::Place(oracle) => oracle.shape(),
            Asked::Effect(oracle) => oracle.shape(),
        }
    }
}
