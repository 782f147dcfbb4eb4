//! A curve of regret against error as alpha goes from 0 to 1.

use std::fmt::Write;

use reticent_privacy::Epsilon;

use super::Bench;
use super::digits::small;
use crate::conse::{Experiment, RunnerKind, World};
use crate::reproduce::ReproduceError;
use reticent_chart::numbers::number;
use reticent_chart::page::Table;
use reticent_chart::plot::Series;

/// Our own design's name.
pub(super) const OURS: &str = "private-trial";

/// All but the aim of the experiments of one curve.
#[derive(Debug, Clone)]
pub(super) struct Setting {
    /// The curve's name.
    pub(super) name: String,
    /// Whose design.
    pub(super) kind: RunnerKind,
    /// None for an algorithm without noise.
    pub(super) epsilon: Option<Epsilon>,
    pub(super) world: World,
    pub(super) people: u64,
    pub(super) trials: u32,
}

/// One aim's result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    pub(super) alpha: f64,
    /// Regret of a trial: mean and standard deviation.
    pub(super) regret: f64,
    pub(super) regret_sd: f64,
    /// The largest over features of the mean squared error, and its standard error.
    pub(super) error: f64,
    pub(super) error_se: f64,
    /// The share of estimates that were never made.
    pub(super) missing: f64,
}

/// A measured curve.
#[derive(Debug)]
pub(super) struct Curve {
    pub(super) agent: &'static str,
    pub(super) setting: Setting,
    pub(super) points: Vec<Point>,
}

/// From estimating as well as possible to losing as little as possible.
pub(super) const ALPHAS: [f64; 11] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

pub(super) const CSV_HEAD: &str = "figure,agent,curve,epsilon,arrivals,people,trials,seed,alpha,regret_mean,regret_sd,error,error_se,missing\n";

impl Curve {
    /// Runs the design at all aims.
    pub(super) fn measure(bench: &Bench<'_>, setting: Setting) -> Result<Curve, ReproduceError> {
        bench.progress.begin(&format!("{}: {}", bench.id, setting.name));
        let mut points = Vec::new();
        for alpha in ALPHAS {
            let Setting { kind, epsilon, people, trials, .. } = setting;
            let (world, seed) = (setting.world.clone(), bench.options.seed);
            let measured =
                bench.measure(&Experiment { kind, epsilon, alpha, world, people, trials, seed })?;
            points.extend(measured.map(|m| Point {
                alpha,
                regret: m.regret.mean,
                regret_sd: m.regret.sd.unwrap_or(0.0),
                error: m.error,
                error_se: m.error_se,
                missing: m.missing,
            }));
        }
        let agent = match setting.kind {
            RunnerKind::PrivateTrial { .. } => OURS,
            RunnerKind::Paper if setting.epsilon.is_some() => "dp-conse",
            RunnerKind::Paper => "conse",
        };
        Ok(Curve { agent, setting, points })
    }

    /// Regret to the right, error upwards, with a band of two standard errors either way.
    pub(super) fn series(&self) -> Series {
        let points = self.points.iter().map(|p| (p.regret, p.error)).collect();
        let band = |p: &Point| ((p.error - 2.0 * p.error_se).max(0.2 * p.error), p.error + 2.0 * p.error_se);
        Series::measured(&self.setting.name, points).with_band(self.points.iter().map(band).collect())
    }

    /// Adds its rows.
    pub(super) fn write(&self, text: &mut String, figure: u32, seed: u64) {
        let Setting { name, epsilon, world, people, trials, .. } = &self.setting;
        let (epsilon, arrivals) =
            (epsilon.map_or(String::new(), |epsilon| epsilon.to_string()), world.arrivals.name());
        for Point { alpha, regret, regret_sd, error, error_se, missing } in &self.points {
            let (agent, name) = (self.agent, name.replace(',', " "));
            let _ = writeln!(
                text,
                "{figure},{agent},{name},{epsilon},{arrivals},{people},{trials},{seed},{alpha},{regret},{regret_sd},{error},{error_se},{missing}"
            );
        }
    }
}

/// A few aims of each curve.
pub(super) fn table(curves: &[Curve]) -> Table {
    let mut rows = Vec::new();
    for curve in curves {
        for p in curve.points.iter().step_by(5) {
            let cells = [
                curve.setting.name.clone(),
                p.alpha.to_string(),
                format!("{} ± {}", number(p.regret), number(p.regret_sd)),
                format!("{} ± {}", small(p.error), small(p.error_se)),
                small(p.error * p.regret / curve.setting.world.means.len() as f64),
                format!("{:.0} %", 100.0 * p.missing),
            ];
            rows.push((cells.to_vec(), curve.agent == OURS));
        }
    }
    let head = ["curve", "α", "regret ± sd", "worst error ± se", "error × regret / M", "no estimate"];
    Table { head: head.map(String::from).to_vec(), rows }
}
