//! What forgers do to our learners: `forged-bandits`, `forged-prices` and `forged-contextual`.

use std::fmt::Write;
use std::sync::Arc;

use reticent_chart::page::Table;
use reticent_learn::mab::Thompson;
use reticent_privacy::{Epsilon, Guarantee};
use reticent_protocol::mab::Spec;

use super::{Forgers, Strategy};
use crate::mab::{self, AgentName, Environment, Outcome, Playable, Player, Seat, Start};
use crate::named::Named;
use crate::pricing::market::{CurveSpec, Market, OutcomeKind};
use crate::pricing::{self, MethodName, Setting};
use crate::reproduce::{self, Family, Item, ReproduceError, Stage};
use crate::runner::{LabError, run_all};
use crate::stats::Summary;

pub(super) type Section = reproduce::Section<String>;

/// All three.
pub(crate) const FAMILY: Family<String> = Family {
    items: &[
        Item { id: "forged-bandits", make: bandits, data: None },
        Item { id: "forged-prices", make: prices, data: None },
        Item { id: "forged-contextual", make: super::contexts::contextual, data: None },
    ],
    all: "forged-all",
    title: "Forged reports",
    lead: "A share of people send what they like, to steer what is learned: what it costs everybody else.",
    introduction: &[
        "Forgers know the world, the policy and the tests. Voters send a one for the worst arm, or a sale at the top price, with no noise; \
     liars obey the policy and the device's noise and lie about what happened (outright: with no noise); careful ones do as much as the tests let pass.",
    ],
    quick: "A quick look: few trials.",
};

pub(super) const LOSSES: [f64; 3] = [0.5, 1.0, 4.0];
const SHARES: [f64; 3] = [0.01, 0.05, 0.1];
const TRIALS: u32 = 20;
const QUICK_TRIALS: u32 = 2;
const PEOPLE: u64 = 100_000;
const QUICK_PEOPLE: u64 = 5_000;

pub(super) fn size(stage: &Stage<'_>) -> (u32, u64) {
    if stage.options.quick { (QUICK_TRIALS, QUICK_PEOPLE) } else { (TRIALS, PEOPLE) }
}

pub(super) fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).expect("the constants here are valid")
}

/// No forgers, or each of the strategies with each share.
pub(super) fn attacks(strategies: &[Strategy], shares: &[f64]) -> Vec<Option<Forgers>> {
    let each = |&strategy| shares.iter().map(move |&share| Some(Forgers { share, strategy }));
    std::iter::once(None).chain(strategies.iter().flat_map(each)).collect()
}

/// Those that differ where a report is a bit, or a sale.
const STRATEGIES: [Strategy; 3] = [Strategy::Vote, Strategy::Lie, Strategy::Careful];

pub(super) fn named(forgers: Option<Forgers>) -> (String, f64) {
    forgers.map_or(("none".to_string(), 0.0), |forgers| (forgers.strategy.name().to_string(), forgers.share))
}

/// Thompson sampling that takes every report.
#[derive(Debug)]
struct Trusting;

impl Playable for Trusting {
    fn name(&self) -> String {
        "trusting-thompson".to_string()
    }

    fn guarantee(&self, epsilon: Option<Epsilon>) -> Result<Guarantee, LabError> {
        Playable::guarantee(&AgentName::DEFAULT, epsilon)
    }

    fn player(&self, start: Start) -> Result<Box<dyn Player>, LabError> {
        let Start { arms, epsilon, batch, noise, choices } = start;
        let epsilon = epsilon.ok_or(mab::AgentError::NeedsEpsilon(AgentName::DEFAULT))?;
        let spec = Spec::new(arms, epsilon).map_err(|error| LabError::Player(error.into()))?;
        Ok(Box::new(Seat::new(Thompson::new(spec, choices), noise).in_batches(batch)))
    }
}

fn bandits(stage: &Stage<'_>) -> Result<Section, ReproduceError> {
    let agents: [Arc<dyn Playable>; 2] = [Arc::new(Trusting), AgentName::DEFAULT.into()];
    let mut rows = "agent,epsilon,batch,strategy,share,trials,seed,on_worst,on_worst_sd,on_best,regret,regret_sd,warned\n".to_string();
    let mut table = Vec::new();
    for loss in LOSSES {
        for batch in [1, 100] {
            for forgers in attacks(&STRATEGIES, &SHARES) {
                let mut cells = Vec::new();
                for agent in &agents {
                    let outcome = play(stage, agent.clone(), loss, batch, forgers)?;
                    let (mean, sd) = outcome.1;
                    cells.extend([format!("{mean:.2} ({sd:.2})"), outcome.0.warned.to_string()]);
                    write_row(&mut rows, &outcome, (loss, batch), forgers);
                }
                let (strategy, share) = named(forgers);
                let first =
                    vec![loss.to_string(), batch.to_string(), strategy, format!("{} %", 100.0 * share)];
                table.push(([first, cells].concat(), false));
            }
        }
    }
    let head = ["ε", "people a policy", "forgers", "share", "all reports", "warned", "guarded", "warned"];
    let table = Table { head: head.map(String::from).to_vec(), rows: table };
    let caption = "Percent of honest people on one worst arm of twenty, mean (standard deviation); and trials that warned.";
    Ok(Section {
        title: "Forgers among a bandit\u{2019}s people",
        tables: vec![(caption.into(), table)],
        rows,
        ..Section::default()
    })
}

/// The outcome, and the percent of honest people on the worst arm with its deviation.
fn play(
    stage: &Stage<'_>,
    agent: Arc<dyn Playable>,
    loss: f64,
    batch: u64,
    forgers: Option<Forgers>,
) -> Result<(Outcome, (f64, f64)), ReproduceError> {
    let (trials, users) = size(stage);
    let env = Environment::open("mab-bernoulli")?;
    let seed = stage.options.seed;
    let experiment =
        mab::Experiment { agent, env, epsilon: Some(epsilon(loss)), users, batch, trials, seed, forgers };
    let mut store = stage.store(&experiment.key())?;
    let done = run_all(&experiment, stage.options.threads, &mut store, stage.progress)?;
    let worst: Vec<f64> = done
        .iter()
        .map(|trial| 100.0 * trial.pulls[0] as f64 / trial.pulls.iter().sum::<u64>().max(1) as f64)
        .collect();
    let worst = Summary::of(&worst).map_or((0.0, 0.0), |worst| (worst.mean, worst.sd.unwrap_or(0.0)));
    Ok((Outcome::new(&experiment, &done, 0, 1.0)?, worst))
}

fn write_row(
    rows: &mut String,
    (outcome, worst): &(Outcome, (f64, f64)),
    (loss, batch): (f64, u64),
    forgers: Option<Forgers>,
) {
    let (strategy, share) = named(forgers);
    let regret = &outcome.regret.summary;
    let best = outcome.share_per_arm.last().copied().unwrap_or(0.0);
    let _ = writeln!(
        rows,
        "{},{loss},{batch},{strategy},{share},{},{},{},{},{best},{},{},{}",
        outcome.agent,
        outcome.trials,
        outcome.seed,
        worst.0,
        worst.1,
        regret.mean,
        regret.sd.unwrap_or(0.0),
        outcome.warned
    );
}

fn prices(stage: &Stage<'_>) -> Result<Section, ReproduceError> {
    let market = CurveSpec { outcome: OutcomeKind::Sale, ..CurveSpec::default() };
    let best = best_revenue(&Market::new(market).map_err(|error| LabError::Pricing(error.into()))?);
    let mut rows = "method,epsilon,records,strategy,share,trials,seed,lost,lost_sd,warned\n".to_string();
    let mut table = Vec::new();
    let (trials, records) = size(stage);
    for loss in LOSSES {
        for forgers in attacks(&STRATEGIES, &SHARES) {
            let setting =
                Setting { market: market.into(), records, epsilon: Some(epsilon(loss)), side: None, forgers };
            let kind = MethodName::DEFAULT;
            let experiment = pricing::Experiment { kind, setting, trials, seed: stage.options.seed };
            let mut store = stage.store(&experiment.key())?;
            let measured = pricing::measure(&experiment, stage.options.threads, &mut store, stage.progress)?;
            let lost = measured.suboptimality;
            let (mean, sd) = (lost.mean / best, lost.sd.unwrap_or(0.0) / best);
            let (strategy, share) = named(forgers);
            let _ = writeln!(
                rows,
                "{},{loss},{records},{strategy},{share},{trials},{},{mean},{sd},{}",
                kind.name(),
                stage.options.seed,
                measured.warned
            );
            let cells =
                [loss.to_string(), strategy, format!("{} %", 100.0 * share), format!("{mean:.3} ({sd:.3})")];
            table.push(([cells.to_vec(), vec![measured.warned.to_string()]].concat(), false));
        }
    }
    let head = ["ε", "forgers", "share", "revenue lost", "warned"];
    let table = Table { head: head.map(String::from).to_vec(), rows: table };
    let caption = "The share of the best prices\u{2019} revenue that is lost, mean (standard deviation); and trials that warned.";
    Ok(Section {
        title: "Forgers among the people of a log",
        tables: vec![(caption.into(), table)],
        rows,
        ..Section::default()
    })
}

/// What the best price of each context earns, on average over the target, which is even.
fn best_revenue(market: &Market) -> f64 {
    const CONTEXTS: u32 = 1000;
    let contexts = (0..CONTEXTS).map(|at| (f64::from(at) + 0.5) / f64::from(CONTEXTS));
    contexts.map(|x| market.best(&[x]).revenue).sum::<f64>() / f64::from(CONTEXTS)
}
