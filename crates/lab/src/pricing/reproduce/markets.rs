//! `price-markets`: shares of the optimum in markets as users have them, beside one price for everybody and
//! predictors of raw records.

use std::fmt::Write;

use super::Section;
use super::bench::epsilon;
use crate::pricing::worlds::{ELEVEN, FRESH, HELD_OUT, Logs, Shares, World};
use crate::reproduce::{ReproduceError, Stage};
use crate::runner::run_all;
use reticent_chart::page::Table;

const RECORDS: [u64; 3] = [3_000, 30_000, 300_000];
const LOSSES: [f64; 3] = [1.0, 2.0, 4.0];
const TRIALS: u32 = 3;
const QUICK_RECORDS: [u64; 1] = [3_000];
const QUICK_TRIALS: u32 = 1;

const CAPTION: &str = "What policies earn as a share of what the best price of each person would. Each log was privatised by devices and is 3,000, 30,000 or 300,000 records at ε = 1, 2 or 4; the method is also given a sample of 1,000 \
     contexts of the people that prices are for. Its single price is the one it would ask everybody; the best single price knows the truth, and so does the optimum. Logistic regression (with the price’s square and its products with \
     contexts) and gradient boosting learn from the raw records of the same logs.";
const KINDS: &str = "The rule by which prices are chosen was made while looking at the first eleven markets. Those of another kind were written at the same time; its limits were last chosen on other logs of both. The last were written after the rule, and nothing was chosen by them.";
/// In the table of all runs, above the table, and the markets.
const GROUPS: [(&str, &str, &[World]); 3] = [
    ("made-with", "Markets that the rule was made with.", &ELEVEN),
    ("other", "Markets of another kind.", &HELD_OUT),
    ("later", "Markets that were written after the rule.", &FRESH),
];

/// Runs of one world.
struct Told {
    world: &'static World,
    runs: Vec<Run>,
    /// Logistic regression and boosting.
    raw: Vec<(f64, f64)>,
    best_single: f64,
}

/// One log at one loss.
struct Run {
    records: u64,
    loss: f64,
    policy: f64,
    single: f64,
    others: f64,
}

pub(super) fn make(stage: &Stage<'_>) -> Result<Section, ReproduceError> {
    let mut section = Section {
        title: "Markets as users have them",
        captions: vec![CAPTION.to_string(), KINDS.to_string()],
        rows: "market,group,epsilon,records,trial,seed,policy,own_single,others,best_single\n".to_string(),
        ..Section::default()
    };
    for (group, heading, worlds) in GROUPS {
        let mut told = Vec::new();
        for world in worlds {
            stage.progress.begin(&format!("{}: {}", stage.id, world.name));
            let world = measured(stage, world)?;
            world.write(&mut section.rows, group, stage.options.seed);
            told.push(world);
        }
        section.tables.push((heading.to_string(), by_market(&told)));
        section.tables.push(("The policy’s share, by records and loss.".to_string(), by_size(stage, &told)));
    }
    Ok(section)
}

fn records(stage: &Stage<'_>) -> &'static [u64] {
    if stage.options.quick { &QUICK_RECORDS } else { &RECORDS }
}

fn measured(stage: &Stage<'_>, world: &'static World) -> Result<Told, ReproduceError> {
    let seed = stage.options.seed;
    let trials = if stage.options.quick { QUICK_TRIALS } else { TRIALS };
    let (mut runs, mut raw) = (Vec::new(), Vec::new());
    for &records in records(stage) {
        for loss in LOSSES.map(Some).into_iter().chain([None]) {
            let logs = Logs { world, records, epsilon: loss.map(epsilon), trials, seed };
            let mut store = stage.store(&logs.key())?;
            for finished in run_all(&logs, stage.options.threads, &mut store, stage.progress)? {
                match finished.outcome {
                    Shares::Private { policy, single, others } => {
                        let loss = loss.unwrap_or_default();
                        runs.push(Run { records, loss, policy, single, others });
                    }
                    Shares::Raw { logistic, boosting } => raw.push((logistic, boosting)),
                }
            }
        }
    }
    let any = Logs { world, records: 1, epsilon: None, trials: 1, seed };
    Ok(Told { world, runs, raw, best_single: any.exam().best_single() })
}

impl Told {
    fn write(&self, text: &mut String, group: &str, seed: u64) {
        let mut trial = 0;
        let mut last = (0, 0.0);
        for Run { records, loss, policy, single, others } in &self.runs {
            trial = if last == (*records, *loss) { trial + 1 } else { 0 };
            last = (*records, *loss);
            let _ = writeln!(
                text,
                "{},{group},{loss},{records},{trial},{seed},{policy},{single},{others},{}",
                self.world.name, self.best_single
            );
        }
    }

    fn means(&self) -> [f64; 5] {
        [
            mean(self.runs.iter().map(|run| run.policy)),
            mean(self.runs.iter().map(|run| run.single)),
            self.best_single,
            mean(self.raw.iter().map(|raw| raw.0)),
            mean(self.raw.iter().map(|raw| raw.1)),
        ]
    }

    /// Runs whose policy earns less than its own single price.
    fn below(&self) -> usize {
        self.runs.iter().filter(|run| run.policy < run.single - 1e-9).count()
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value;
        count += 1.0;
    }
    if count > 0.0 { sum / count } else { f64::NAN }
}

fn by_market(told: &[Told]) -> Table {
    let head = [
        "market",
        "policy",
        "its single price",
        "best single price",
        "raw logistic",
        "raw boosting",
        "runs below its single price",
    ];
    let mut rows: Vec<(Vec<String>, bool)> = Vec::new();
    for one in told {
        let mut cells = vec![one.world.name.to_string()];
        cells.extend(one.means().map(|share| format!("{share:.3}")));
        cells.push(format!("{} of {}", one.below(), one.runs.len()));
        rows.push((cells, false));
    }
    let mut all = vec!["all".to_string()];
    all.extend((0..5).map(|at| format!("{:.3}", mean(told.iter().map(|one| one.means()[at])))));
    let (below, runs): (usize, usize) =
        told.iter().fold((0, 0), |sum, one| (sum.0 + one.below(), sum.1 + one.runs.len()));
    all.push(format!("{below} of {runs}"));
    rows.push((all, true));
    Table { head: head.map(str::to_string).to_vec(), rows }
}

fn by_size(stage: &Stage<'_>, told: &[Told]) -> Table {
    let mut head = vec!["market".to_string()];
    let mut sizes = Vec::new();
    for &records in records(stage) {
        for loss in LOSSES {
            head.push(format!("{records}, ε = {loss}"));
            sizes.push((records, loss));
        }
    }
    let row = |one: &Told| {
        let cell = |&(records, loss): &(u64, f64)| {
            let here = one.runs.iter().filter(|run| run.records == records && run.loss == loss);
            format!("{:.3}", mean(here.map(|run| run.policy)))
        };
        let cells = [vec![one.world.name.to_string()], sizes.iter().map(cell).collect()].concat();
        (cells, false)
    };
    Table { head, rows: told.iter().map(row).collect() }
}
