//! `kernel-settings`: logs of fifteen kinds, three that the release was not built beside, and logs whose actions follow
//! contexts.

use std::fmt::Write;

use super::Section;
use super::bench::epsilon;
use crate::kernel::{BUILT_BESIDE, HABITS, HABITS_BUILT_BESIDE, Learned, LogExperiment, WORLDS, World};
use crate::reproduce::{ReproduceError, Stage};
use crate::runner::run_all;
use crate::stats::Summary;
use reticent_chart::numbers::number;
use reticent_chart::page::Table;

const CAPTION: &str = "Random functions are sums of 30 Matérn 5/2 functions of length 0.3 (0.6 for five inputs) at uniform centres, another one in each \
     trial, with values in [-1, 1]; rewards have normal noise of standard deviation 0.1 unless it says otherwise and are clipped to ±1.3. Plans declare \
     evenly spread contexts, Matérn 5/2 and length 0.3 (0.6 for Hartmann-6 and five inputs, 0.5 for two drugs). Losses are against the best action of \
     each of 200 contexts of people like those in the log; bands are shares of 1,000 such people, and of the 200 recommended actions, within 95 % bands.";
const COLUMNS: &str = "Own: actions as the log has them. Raw: a Gaussian process on raw data, with lengths and noise by likelihood. Constant: the best action for everybody, known. Private \
     constant: one action for everybody, learned from a release of the same ε of a plan without contexts. Uniform: even actions. Supported: the share of \
    recommended actions that people of the context got, as far as the release tells.";
const HEAD: &str = "world,built_beside,people,trials,seed,loss,loss_sd,raw,constant,private_constant,uniform,error,expected_error,band,band_sd,\
    band_at_best,band_at_best_sd,doubtful,own,supported,band_at_supported\n";

const TRIALS: u32 = 20;
const QUICK_TRIALS: u32 = 3;
const PEOPLE: [u64; 3] = [1000, 10_000, 100_000];
const LOSS: f64 = 1.0;

/// All trials of a world.
struct Cell {
    world: World,
    people: u64,
    trials: Vec<Learned>,
}

pub(super) fn make(stage: &Stage<'_>) -> Result<Section, ReproduceError> {
    let (beside, others) = WORLDS.split_at(BUILT_BESIDE);
    let (habits, further) = HABITS.split_at(HABITS_BUILT_BESIDE);
    let mut section = Section {
        title: "Logs of many kinds",
        captions: vec![CAPTION.to_string(), COLUMNS.to_string()],
        rows: HEAD.to_string(),
        ..Section::default()
    };
    for (heading, worlds, built) in [
        ("Fifteen kinds of logs, ε = 1, mean ± standard deviation over trials.", beside, true),
        ("Three kinds that the release was not built beside.", others, false),
        ("Six kinds whose actions follow contexts, or are one for everybody.", habits, true),
        ("Four more that the rule for these was not built beside.", further, false),
    ] {
        let mut cells = Vec::new();
        for world in worlds {
            for &people in if stage.options.quick { &PEOPLE[..1] } else { &PEOPLE[..] } {
                cells.push(measured(stage, *world, people)?);
            }
        }
        section.tables.push((heading.to_string(), table(&cells)));
        for cell in &cells {
            cell.write(&mut section.rows, built, stage);
        }
    }
    Ok(section)
}

fn measured(stage: &Stage<'_>, world: World, people: u64) -> Result<Cell, ReproduceError> {
    stage.progress.begin(&format!("{}: {}, {people} people", stage.id, world.title));
    let trials = if stage.options.quick { QUICK_TRIALS } else { TRIALS };
    let experiment =
        LogExperiment { world, people, epsilon: epsilon(LOSS), trials, seed: stage.options.seed };
    let mut store = stage.store(&experiment.key())?;
    let trials = run_all(&experiment, stage.options.threads, &mut store, stage.progress)?;
    Ok(Cell { world, people, trials: trials.into_iter().map(|trial| trial.outcome).collect() })
}

impl Cell {
    fn summary(&self, value: fn(&Learned) -> f64) -> (f64, f64) {
        let values: Vec<f64> = self.trials.iter().map(value).collect();
        Summary::of(&values).map_or((f64::NAN, 0.0), |one| (one.mean, one.sd.unwrap_or(0.0)))
    }

    fn mean(&self, value: fn(&Learned) -> f64) -> f64 {
        self.summary(value).0
    }

    fn write(&self, text: &mut String, built: bool, stage: &Stage<'_>) {
        let (loss, loss_sd) = self.summary(|one| one.loss);
        let (band, band_sd) = self.summary(|one| one.band);
        let (best, best_sd) = self.summary(|one| one.band_at_best);
        let _ = writeln!(
            text,
            "{},{built},{},{},{},{loss},{loss_sd},{},{},{},{},{},{},{band},{band_sd},{best},{best_sd},{},{},{},{}",
            self.world.id,
            self.people,
            self.trials.len(),
            stage.options.seed,
            self.mean(|one| one.raw),
            self.mean(|one| one.constant),
            self.mean(|one| one.private_constant),
            self.mean(|one| one.uniform),
            self.mean(|one| one.error),
            self.mean(|one| one.expected_error),
            self.mean(|one| f64::from(one.doubtful)),
            self.mean(|one| one.own),
            self.mean(|one| one.supported),
            self.mean(|one| one.band_at_supported),
        );
    }
}

fn table(cells: &[Cell]) -> Table {
    let head = [
        "log",
        "people",
        "loss",
        "own",
        "raw",
        "constant",
        "private constant",
        "uniform",
        "error",
        "band",
        "at the recommended action",
        "supported",
        "said to be doubtful",
    ];
    let row = |cell: &Cell| {
        let (loss, sd) = cell.summary(|one| one.loss);
        let share = |value: fn(&Learned) -> f64| {
            let (mean, sd) = cell.summary(value);
            format!("{mean:.2} ± {sd:.2}")
        };
        let cells = vec![
            cell.world.title.to_string(),
            number(cell.people as f64),
            format!("{loss:.4} ± {sd:.4}"),
            format!("{:.4}", cell.mean(|one| one.own)),
            format!("{:.4}", cell.mean(|one| one.raw)),
            format!("{:.4}", cell.mean(|one| one.constant)),
            format!("{:.4}", cell.mean(|one| one.private_constant)),
            format!("{:.4}", cell.mean(|one| one.uniform)),
            format!("{:.3}", cell.mean(|one| one.error)),
            share(|one| one.band),
            share(|one| one.band_at_best),
            format!("{:.2}", cell.mean(|one| one.supported)),
            format!("{:.2}", cell.mean(|one| f64::from(one.doubtful))),
        ];
        (cells, false)
    };
    Table { head: head.map(String::from).to_vec(), rows: cells.iter().map(row).collect() }
}
