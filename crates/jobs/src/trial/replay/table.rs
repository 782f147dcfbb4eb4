//! The table, read once and kept as numbers. Every row is checked before anybody is assigned.

use std::fmt;

use reticent_curate::trial::{Covariate, Outcome, Stratum, TrialSpec};
use reticent_schema::Feature;

use super::{ReplayError, Shown, TrialFile};
use crate::columns::{
    self, Batch, FormatError, Layout, Reading, RowWatcher, TableFiles, TableFormat, Wanted,
};

/// A table's people.
pub struct Table {
    arms: usize,
    strata: Vec<u32>,
    /// In a randomised table the arm that each person got.
    given: Option<Vec<u8>>,
    /// One for each row, or one for each row and arm.
    outcomes: Vec<f64>,
    /// Those of each row, and how many it has.
    covariates: Vec<f64>,
    covariates_of_one: usize,
}

/// The shape alone: the values belong to people.
impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("rows", &self.rows()).finish_non_exhaustive()
    }
}

impl Table {
    /// Reads a table. A watcher sees whole rows.
    pub fn read(
        files: &TableFiles,
        spec: &TrialSpec,
        file: &TrialFile,
        watcher: Option<&mut dyn RowWatcher>,
    ) -> Result<Table, ReplayError> {
        let shown = file.table()?;
        let layout = file.layout(spec)?;
        let given = matches!(shown, Shown::Randomised { .. }).then(Vec::new);
        let table = Table {
            arms: spec.arms(),
            strata: Vec::new(),
            given,
            outcomes: Vec::new(),
            covariates: Vec::new(),
            covariates_of_one: file.covariates().len(),
        };
        let mut reader = Reader { spec, table };
        columns::read_with(files, &layout, Reading { watcher, once: true }, |batch| reader.add(batch))?;
        Ok(reader.table)
    }

    /// How many people there are.
    pub fn rows(&self) -> u32 {
        self.strata.len() as u32
    }

    /// How many arms there are.
    pub fn arms(&self) -> usize {
        self.arms
    }

    pub(super) fn stratum_number(&self, row: u32) -> usize {
        self.strata[row as usize] as usize
    }

    /// A person's stratum; none for another plan than the one the table was read by.
    pub(crate) fn stratum(&self, spec: &TrialSpec, row: u32) -> Option<Stratum> {
        Stratum::new(spec, self.stratum_number(row))
    }

    /// A person's outcome on an arm, if the table shows it.
    pub(crate) fn outcome(&self, row: u32, arm: usize) -> Option<f64> {
        let row = row as usize;
        let outcome = match &self.given {
            Some(given) => (given[row] as usize == arm).then(|| self.outcomes[row]),
            None => Some(self.outcomes[row * self.arms + arm]),
        };
        // What is lost is a NaN.
        outcome.filter(|outcome| !outcome.is_nan())
    }

    /// A person's covariates; a missing one is a NaN.
    pub(crate) fn covariates(&self, row: u32) -> &[f64] {
        &self.covariates[row as usize * self.covariates_of_one..][..self.covariates_of_one]
    }

    /// The arm that a person got, if the table shows one.
    pub(crate) fn given(&self, row: u32) -> Option<usize> {
        self.given.as_ref().map(|given| given[row as usize] as usize)
    }

    /// People on each arm, if the table shows one a person.
    pub(crate) fn on_arms(&self) -> Option<Vec<u64>> {
        let mut people = vec![0; self.arms];
        self.given.as_ref()?.iter().for_each(|&arm| people[arm as usize] += 1);
        Some(people)
    }

    /// Whether the table shows one arm a person.
    pub fn is_randomised(&self) -> bool {
        self.given.is_some()
    }
}

impl TrialFile {
    /// How a table of people is read.
    pub(super) fn layout(&self, spec: &TrialSpec) -> Result<Layout, ReplayError> {
        layout(spec, self.table()?, self.covariates(), self.format())
            .map_err(|fault| self.problem(fault.to_string()))
    }
}

/// How a table of people is read: features, then the arm that each got, then outcomes, then covariates.
pub fn layout(
    spec: &TrialSpec,
    shown: &Shown,
    covariates: &[Covariate],
    format: &TableFormat,
) -> Result<Layout, FormatError> {
    let plan = spec.draft();
    let feature = |feature: &Feature| match &feature.levels {
        Some(levels) => Wanted::levels(&feature.column, levels),
        None => Wanted::number(&feature.column),
    };
    let mut wanted: Vec<Wanted> = plan.features.iter().map(feature).collect();
    let Outcome { low, high, binary, clip, .. } = plan.outcome;
    let outcome = |column: &str| {
        let ends = [low, high];
        let outcome = if binary {
            Wanted::points(column, &ends, false)
        } else {
            Wanted::range(column, low, high, clip)
        };
        outcome.or_lost()
    };
    match shown {
        Shown::Randomised { column, values } => {
            wanted.extend([Wanted::levels(column, values), outcome(&plan.outcome.column)]);
        }
        Shown::Potential { columns } => wanted.extend(columns.iter().map(|column| outcome(column))),
    }
    let covariate = |one: &Covariate| Wanted::range(&one.column, one.low, one.high, true).or_lost();
    wanted.extend(covariates.iter().map(covariate));
    Layout::new(format, &wanted)
}

/// What a batch's columns are.
struct Reader<'a> {
    spec: &'a TrialSpec,
    table: Table,
}

impl Reader<'_> {
    fn add(&mut self, batch: &Batch) -> Result<(), ReplayError> {
        let plan = self.spec.draft();
        if self.table.strata.len() + batch.rows() > u32::MAX as usize {
            return Err(ReplayError::TooManyRows);
        }
        for row in 0..batch.rows() {
            let mut stratum = 0;
            for (place, feature) in plan.features.iter().enumerate() {
                let value = batch.column(place)[row];
                // A level is the middle of its cell.
                let level = feature.bin(value).unwrap_or(value as usize);
                stratum = stratum * feature.count() + level;
            }
            self.table.strata.push(stratum as u32);
            let mut outcomes = plan.features.len();
            if let Some(given) = &mut self.table.given {
                given.push(batch.column(outcomes)[row] as u8);
                outcomes += 1;
            }
            let covariates = batch.width() - self.table.covariates_of_one;
            for place in outcomes..covariates {
                self.table.outcomes.push(snapped(&plan.outcome, batch.column(place)[row]));
            }
            self.table.covariates.extend((covariates..batch.width()).map(|place| batch.column(place)[row]));
        }
        Ok(())
    }
}

/// An outcome that single precision rounded beyond an end is that end.
fn snapped(outcome: &Outcome, value: f64) -> f64 {
    let value = outcome.clipped(value);
    if value.is_nan() || outcome.steps(value).is_some() {
        return value;
    }
    let middle = f64::midpoint(outcome.low, outcome.high);
    if value < middle { outcome.low } else { outcome.high }
}
