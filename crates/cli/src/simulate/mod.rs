//! `reticent simulate`.

mod contextual;
mod mab;

use std::path::PathBuf;

use reticent_lab::clock::Stopwatch;
use reticent_lab::contextual as ctx;
use reticent_lab::contextual::env::{SourceSpec, World};
use reticent_lab::forged::{Forgers, Strategy};
use reticent_lab::mab::AgentName;
use reticent_lab::named::{Named, did_you_mean};
use reticent_lab::runner::{LabError, Repeated, Store, StoreKey, run_all};
use reticent_privacy::Epsilon;

use super::progress::Bar;
use super::{CliError, output};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The agent: see `reticent list` [default: ldp-thompson, or ldp-contextual where people have a context]
    #[arg(long)]
    agent: Option<String>,
    /// The environment: a built-in name, `file:SPEC.toml`, or `data:FILE.csv[.gz]`
    #[arg(long, default_value = "mab-bernoulli")]
    env: String,
    /// The privacy loss of each report; private agents need it
    #[arg(long, allow_negative_numbers = true)]
    epsilon: Option<Epsilon>,
    /// People in a trial [default: 100000; 10000 with contexts; all that the data have; more than these are drawn from
    /// them with replacement]
    #[arg(long)]
    users: Option<u64>,
    /// People who are served between two refreshes of the policy
    #[arg(long, value_name = "PEOPLE", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    batch: u64,
    /// Independent trials
    #[arg(long, default_value_t = 10)]
    trials: u32,
    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// This share of people forge their reports, to steer the agent to the worst arm
    #[arg(long, value_name = "SHARE")]
    forgers: Option<f64>,
    /// How they do it: vote, lie, outright or careful; `docs/forged.md` says what each does
    #[arg(long, value_name = "STRATEGY", default_value = "vote", requires = "forgers")]
    forger: Strategy,
    /// Threads for trials; results do not depend on it [default: all cores]
    #[arg(long)]
    threads: Option<usize>,
    /// Print one JSON document and nothing else
    #[arg(long)]
    json: bool,
    /// Draw into this .svg or .png file how soon people get the best arm, the regret, and what is known of each arm;
    /// with contexts a map of what was learned stands beside it
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Keep finished trials in this folder; a rerun goes on where it stopped
    #[arg(long, value_name = "DIR", conflicts_with_all = ["save", "load"])]
    out: Option<PathBuf>,
    /// Save the run after the last person (one trial), to go on with --load
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Go on with a saved run (one trial) until --users people have been served
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    #[command(flatten)]
    replace: output::Replace,
    #[command(flatten)]
    contextual: ContextualArgs,
}

/// What only contextual experiments take.
#[derive(clap::Args)]
#[command(next_help_heading = "Contextual experiments")]
struct ContextualArgs {
    /// Coordinates of a context, in made-up worlds [default: 2]
    #[arg(long)]
    dims: Option<usize>,
    /// Arms, in the exponential worlds [default: 3]
    #[arg(long)]
    arms: Option<u32>,
    /// Serve this group of the data; the other groups become sources
    #[arg(long, value_name = "GROUP")]
    target_group: Option<u32>,
    /// An auxiliary source, for example people=5000,epsilon=8,gamma=0.2,kappa=1 (repeat for more; add
    /// `,permuted` for a misleading one)
    #[arg(long, value_name = "SPEC")]
    source: Vec<SourceSpec>,
    /// The privacy loss of each report of the data's sources
    #[arg(long, value_name = "EPSILON")]
    source_epsilon: Option<Epsilon>,
    /// Leave the data's sources out
    #[arg(long, conflicts_with_all = ["source", "source_epsilon"])]
    no_sources: bool,
    /// Forget: after so many people an old report counts half
    #[arg(long, value_name = "PEOPLE")]
    half_life: Option<u64>,
    /// So many people are served before a report arrives [default: 0]
    #[arg(long, value_name = "PEOPLE")]
    delay: Option<u64>,
    /// Hide the arm that a person is seen to get as well, at this loss
    #[arg(long, value_name = "EPSILON", allow_negative_numbers = true)]
    arm_epsilon: Option<Epsilon>,
}

impl Args {
    fn forgers(&self) -> Result<Option<Forgers>, CliError> {
        let forgers = self.forgers.map(|share| Forgers::new(share, self.forger)).transpose();
        forgers.map_err(|error| CliError::Usage(error.to_string()))
    }
}

impl ContextualArgs {
    fn is_used(&self) -> bool {
        let Self {
            dims,
            arms,
            target_group,
            source,
            source_epsilon,
            no_sources,
            half_life,
            delay,
            arm_epsilon,
        } = self;
        dims.is_some()
            || arms.is_some()
            || target_group.is_some()
            || !source.is_empty()
            || source_epsilon.is_some()
            || *no_sources
            || half_life.is_some()
            || delay.is_some()
            || arm_epsilon.is_some()
    }
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    if let Some(path) = &args.plot {
        output::is_png(path)?;
    }
    let named = |name: &str| (name.parse::<AgentName>().ok(), name.parse::<ctx::AgentName>().ok());
    let has_contexts = World::is_name(&args.env);
    match (args.agent.as_deref().map(named), has_contexts) {
        (None, true) => contextual::run(args, ctx::AgentName::DEFAULT),
        (Some((_, Some(agent))), true) => contextual::run(args, agent),
        (None, false) => mab::run(args, only_mab(args, AgentName::DEFAULT)?),
        (Some((Some(agent), _)), false) => mab::run(args, only_mab(args, agent)?),
        (Some((Some(agent), None)), true) => Err(CliError::Usage(format!(
            "{agent} does not look at contexts, and people in {} have them: take {} or another contextual agent",
            args.env,
            ctx::AgentName::DEFAULT
        ))),
        (Some((None, Some(agent))), false) => Err(CliError::Usage(format!(
            "{agent} is for people with contexts: add --env exponential-code, or another contextual environment"
        ))),
        (Some((None, None)), _) => {
            let name = args.agent.as_deref().unwrap_or_default();
            let names = AgentName::ALL.iter().map(|agent| agent.name());
            let names = names.chain(ctx::AgentName::ALL.iter().map(|agent| agent.name()));
            let near = did_you_mean(name, names);
            Err(CliError::Usage(format!("no agent is called {name:?}{near}; `reticent list` shows all")))
        }
    }
}

/// A multi-armed agent, unless something was asked for that only contextual experiments have.
fn only_mab(args: &Args, agent: AgentName) -> Result<AgentName, CliError> {
    if args.contextual.is_used() {
        let text =
            format!("{} has no contexts: its experiments take none of the contextual options", args.env);
        return Err(CliError::Usage(text));
    }
    Ok(agent)
}

/// All trials, how many of them were run now, and how long those took.
struct Done<T> {
    trials: Vec<T>,
    fresh: usize,
    seconds: f64,
}

/// Runs what is not kept already, with a bar, and keeps it if asked to.
fn run_trials<E: Repeated>(
    args: &Args,
    experiment: &E,
    key: &impl StoreKey,
    threads: usize,
) -> Result<Done<E::Trial>, CliError> {
    let mut store = match &args.out {
        Some(folder) => Store::open(folder, key)?,
        None => Store::in_memory(),
    };
    let stored = store.count_below(experiment.size().trials);
    let bar = Bar::new();
    let watch = Stopwatch::start();
    let trials = run_all(experiment, threads, &mut store, &bar);
    bar.finish();
    if let (Err(LabError::Interrupted { .. }), Some(folder)) = (&trials, &args.out) {
        eprintln!("finished trials are kept in {}; the same command goes on from there", folder.display());
    }
    let trials = trials?;
    Ok(Done { fresh: trials.len() - stored, trials, seconds: watch.seconds() })
}
