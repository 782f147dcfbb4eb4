//! All that is measured about one problem.

use std::fmt::Write;

use reticent_privacy::Epsilon;

use super::bench::{Bench, epsilon};
use super::problem::Problem;
use crate::kernel::{Experiment, Measured, Method, Slope, slope};
use crate::reproduce::ReproduceError;

/// One experiment.
#[derive(Debug)]
pub(super) struct Cell {
    pub(super) method: &'static dyn Method,
    pub(super) epsilon: Option<Epsilon>,
    pub(super) people: u64,
    pub(super) measured: Measured,
}

/// One method at one loss, for several numbers of people.
#[derive(Debug)]
pub(super) struct Line<'a> {
    pub(super) method: &'static dyn Method,
    pub(super) epsilon: Option<Epsilon>,
    pub(super) cells: Vec<&'a Cell>,
}

/// The experiments of one problem.
#[derive(Debug)]
pub(super) struct Sweep {
    pub(super) problem: Problem,
    pub(super) methods: &'static [&'static dyn Method],
    cells: Vec<Cell>,
}

/// The loss at which the number of people varies.
pub(super) const LOSS: f64 = 1.0;
/// The losses for one number of people.
pub(super) const LOSSES: [f64; 5] = [0.1, 0.5, 1.0, 2.0, 8.0];
/// That number.
pub(super) const PEOPLE: u64 = 10_000;

pub(super) const CSV_HEAD: &str =
    "problem,method,epsilon,people,trials,seed,error_mean,error_sd,error_se,rms_mean,rms_sd\n";

impl Sweep {
    /// Runs all methods: private ones at each loss and without noise, others once.
    pub(super) fn measure(bench: &Bench<'_>, problem: Problem) -> Result<Sweep, ReproduceError> {
        let mut cells: Vec<Cell> = Vec::new();
        for &method in bench.methods {
            bench.progress.begin(&format!("{}: {}, {}", bench.id, problem.id, method.name()));
            let by_people = bench.people().iter().flat_map(|&people| [(people, None), (people, Some(LOSS))]);
            let by_loss = LOSSES.into_iter().map(|loss| (PEOPLE, Some(loss)));
            for (people, loss) in by_people.chain(by_loss) {
                let epsilon = loss.map(epsilon);
                let known = cells.iter().any(|cell| {
                    cell.method.name() == method.name() && cell.people == people && cell.epsilon == epsilon
                });
                if known || (loss.is_some() && !method.is_private()) {
                    continue;
                }
                let (setting, trials, seed) =
                    (problem.setting(people, epsilon), bench.trials(), bench.options.seed);
                if !method.applies(&setting) {
                    continue;
                }
                let measured = bench.measure(&Experiment { method, setting, trials, seed })?;
                cells.push(Cell { method, epsilon, people, measured });
            }
        }
        Ok(Sweep { problem, methods: bench.methods, cells })
    }

    /// Each method by the number of people, without noise and at the usual loss.
    pub(super) fn lines(&self, people: &[u64]) -> Vec<Line<'_>> {
        let losses = |method: &'static dyn Method| {
            let private = method.is_private().then(|| Some(epsilon(LOSS)));
            [Some(None), private].into_iter().flatten().map(move |epsilon| (method, epsilon))
        };
        let line = |(method, epsilon): (&'static dyn Method, Option<Epsilon>)| {
            let cells = people.iter().filter_map(|&people| self.cell(method, epsilon, people));
            Line { method, epsilon, cells: cells.collect() }
        };
        self.methods
            .iter()
            .copied()
            .flat_map(losses)
            .map(line)
            .filter(|line| !line.cells.is_empty())
            .collect()
    }

    /// One experiment, if it was run.
    pub(super) fn cell(&self, method: &dyn Method, epsilon: Option<Epsilon>, people: u64) -> Option<&Cell> {
        self.cells.iter().find(|cell| {
            cell.method.name() == method.name() && cell.epsilon == epsilon && cell.people == people
        })
    }

    /// Adds its rows; a private method without noise has an infinite loss, and a method without a loss none.
    pub(super) fn write(&self, text: &mut String, bench: &Bench<'_>) {
        for Cell { method, epsilon, people, measured } in &self.cells {
            let epsilon = match epsilon {
                Some(epsilon) => epsilon.to_string(),
                None if method.is_private() => "inf".to_string(),
                None => String::new(),
            };
            let optional = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
            let (sd, se) = (optional(measured.error.sd), optional(measured.standard_error));
            let rms = [measured.rms.map(|rms| rms.mean), measured.rms.and_then(|rms| rms.sd)].map(optional);
            let _ = writeln!(
                text,
                "{},{},{epsilon},{people},{},{},{},{sd},{se},{},{}",
                self.problem.id,
                method.name(),
                bench.trials(),
                bench.options.seed,
                measured.error.mean,
                rms[0],
                rms[1]
            );
        }
    }
}

impl Line<'_> {
    /// The name in legends and tables.
    pub(super) fn label(&self) -> String {
        match self.epsilon {
            Some(epsilon) => format!("{} ε = {epsilon}", self.method.name()),
            None if self.method.is_private() => format!("{}, no noise", self.method.name()),
            None => self.method.name().to_string(),
        }
    }

    /// Mean error against people.
    pub(super) fn points(&self) -> Vec<(f64, f64)> {
        self.cells.iter().map(|cell| (cell.people as f64, cell.measured.error.mean)).collect()
    }

    /// The exponent of the number of people.
    pub(super) fn slope(&self) -> Option<Slope> {
        slope(&self.points())
    }
}
