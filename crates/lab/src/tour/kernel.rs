//! The tour's kernel bandits: which dose for whom?

use reticent_curate::kernel::{Factor, Family, Kernel};
use reticent_privacy::{Delta, Epsilon};

use super::TourError;
use crate::kernel::{
    Experiment, Measured, Method, PrivateKernel, PrivateKernelOnce, Setting, TargetSpec, Uniform, measure,
};
use crate::reproduce::{Options, ReproduceError};
use crate::runner::{LabError, Store};
use reticent_chart::page::{Page, Table};
use reticent_jobs::Progress;

/// One method's line.
#[derive(Debug)]
pub struct KernelLine {
    /// The method and its loss.
    pub label: String,
    /// Whether it is ours.
    pub is_ours: bool,
    /// Trials, and what came out.
    pub trials: u32,
    /// What was lost.
    pub measured: Measured,
}

/// The headline.
pub const TITLE: &str = "Private kernel bandits: which dose, bid or setting for whom?";
const CAPTION: &str = "Rewards are a smooth function, drawn anew in each trial, of an action and a context, both numbers. 3,000 people got even actions; a trusted curator has their records. private-kernel releases the whole function \
    once under (1, 10⁻⁶), for all predictions together; private-kernel-once gives one action for one context under ε = 1. The error is the reward, of at most 1, that is lost on average in a context.";
const PEOPLE: u64 = 3_000;
const TRIALS: u32 = 10;
const LENGTH: f64 = 0.3;

pub(super) fn stop(
    options: &Options,
    progress: &dyn Progress,
    page: &mut Page,
) -> Result<Vec<KernelLine>, TourError> {
    let trials = if options.quick { TRIALS / 5 } else { TRIALS };
    let methods: [&'static dyn Method; 3] = [&Uniform, &PrivateKernelOnce, &PrivateKernel];
    let mut lines = Vec::new();
    for method in methods {
        let label = if method.is_private() {
            format!("{}, ε = 1", method.name())
        } else {
            method.name().to_string()
        };
        progress.begin(&format!("tour-kernel: {label}"));
        let experiment = Experiment { method, setting: setting(), trials, seed: options.seed };
        let measured =
            measure(&experiment, options.threads, &mut Store::in_memory(), progress).map_err(lab)?;
        lines.push(KernelLine { label, is_ours: method.is_ours(), trials, measured });
    }
    page.section(TITLE);
    page.paragraph(CAPTION);
    page.table(&table(&lines));
    Ok(lines)
}

/// Random functions of the kernel's own space.
fn setting() -> Setting {
    let factor = || Factor { family: Family::MaternFiveHalves, lengths: vec![LENGTH] };
    let kernel = Kernel::new(vec![factor(), factor()]).expect("the constants here are valid");
    Setting {
        source: TargetSpec::Rkhs { kernel: kernel.clone(), actions: 1, centres: 30 },
        kernel,
        tau: 0.1,
        rank: 200,
        noise: 0.1,
        bound: 1.3,
        people: PEOPLE,
        epsilon: Epsilon::new(1.0).ok(),
        delta: Delta::new(1e-6).expect("the constant is valid"),
    }
}

/// What each line lost.
pub fn table(lines: &[KernelLine]) -> Table {
    let head = ["method", "error, mean", "sd", "trials"];
    let rows = lines.iter().map(|line| {
        let error = line.measured.error;
        let row = vec![
            line.label.clone(),
            format!("{:.4}", error.mean),
            error.sd.map_or("–".to_string(), |sd| format!("{sd:.4}")),
            line.trials.to_string(),
        ];
        (row, line.is_ours)
    });
    Table { head: head.map(String::from).into(), rows: rows.collect() }
}

fn lab(error: LabError) -> TourError {
    TourError::Reproduce(ReproduceError::Lab(error))
}
