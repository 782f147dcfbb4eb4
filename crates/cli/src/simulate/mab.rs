//! Multi-armed bandits.

use std::path::Path;

use reticent_chart::numbers::number;
use reticent_chart::plot::stack;
use reticent_jobs::Progress;
use reticent_lab::best_arm::best_arm_chart;
use reticent_lab::clock::Stopwatch;
use reticent_lab::mab::reproduce::{Line, Measured, estimates_chart, regret_chart};
use reticent_lab::mab::{self, AgentName, Environment, Experiment, Outcome, Run};
use reticent_lab::named::{Named, Rewards};
use reticent_lab::runner::{LabError, Repeated};
use reticent_learn::mab::ArmEstimate;
use serde::Serialize;

use super::{Args, run_trials};
use crate::progress::Bar;
use crate::{CliError, output, threads};

/// People in a trial, unless told otherwise.
const USERS: u64 = 100_000;

pub(super) fn run(args: &Args, agent: AgentName) -> Result<(), CliError> {
    let threads = threads(args.threads)?;
    let experiment = Experiment {
        agent: agent.into(),
        env: Environment::open(&args.env)?,
        epsilon: args.epsilon,
        users: args.users.unwrap_or(USERS),
        batch: args.batch,
        trials: args.trials,
        seed: args.seed,
        forgers: args.forgers()?,
    };
    experiment.check()?;
    if let Some(path) = &args.plot {
        output::claim_chart(path, args.replace.force)?;
    }
    if let Some(path) = &args.save {
        output::claim(path, args.replace.force)?;
    }
    warn_about_range(agent, &experiment);
    let outcome = if args.save.is_some() || args.load.is_some() {
        run_single(args, &experiment)?
    } else {
        let done = run_trials(args, &experiment, &experiment.key(), threads)?;
        Outcome::new(&experiment, &done.trials, done.fresh, done.seconds)?
    };
    let known = if args.plot.is_some() || args.json { known(&experiment)? } else { Vec::new() };
    if let Some(path) = &args.plot {
        draw(path, &experiment, outcome.clone(), &known)?;
    }
    if args.json {
        let estimates_of_first_trial = (!known.is_empty()).then_some(&*known);
        output::print_document("simulate", &Document { outcome: &outcome, estimates_of_first_trial })?;
    } else {
        print(&experiment, &outcome);
    }
    Ok(())
}

/// One trial that starts from a file, ends in one, or both.
fn run_single(args: &Args, experiment: &Experiment) -> Result<Outcome, CliError> {
    if experiment.batch > 1 {
        return Err(CliError::Usage("--save and --load work person by person: leave --batch out".into()));
    }
    if experiment.trials != 1 {
        return Err(CliError::Usage("--save and --load work on one trial: add --trials 1".into()));
    }
    let mut run = match &args.load {
        Some(path) => mab::load(path, experiment)?,
        None => Run::start(experiment, 0)?,
    };
    let served = run.served();
    let bar = Bar::new();
    bar.size(experiment.users - served);
    let watch = Stopwatch::start();
    let complete = run.complete(experiment, |people| {
        bar.served(people);
        !bar.stop()
    });
    bar.finish();
    let (complete, seconds) = (complete?, watch.seconds());
    if let Some(path) = &args.save {
        mab::save(path, experiment, &run)?;
    }
    if !complete {
        if let Some(path) = &args.save {
            eprintln!("{} people were served; --load {} goes on from there", run.served(), path.display());
        }
        return Err(LabError::Interrupted { finished: 0, trials: 1 }.into());
    }
    let mut outcome = Outcome::new(experiment, &[run.finish(experiment, 0)], 1, seconds)?;
    outcome.users_per_second = (experiment.users - served) as f64 / seconds;
    Ok(outcome)
}

fn warn_about_range(agent: AgentName, experiment: &Experiment) {
    if agent.rewards() == Rewards::Unit && !experiment.env.is_unit() {
        eprintln!(
            "note: {} is for rewards in [0, 1]; this environment's are clipped on the device. Try ldp-thompson-unbounded.",
            agent
        );
    }
}

/// How soon people get the best arm, what they lose until then, and what the first trial knows of each arm.
fn draw(
    path: &Path,
    experiment: &Experiment,
    outcome: Outcome,
    known: &[ArmEstimate],
) -> Result<(), CliError> {
    let line = Line::new(experiment.agent.clone(), experiment.epsilon);
    let (label, env, trials) = (line.label(), experiment.env.name(), experiment.trials);
    let subtitle = format!("Environment {env}; mean of {trials} trials, band is a 95 % confidence interval");
    let best = outcome.best_arm.as_ref().map(|best| {
        best_arm_chart(&format!("Who gets the best arm: {label}"), &subtitle, best, experiment.seed).svg()
    });
    let measured = [Measured { line, env: experiment.env.clone(), outcome }];
    let regret = regret_chart(&format!("Regret of {label}"), subtitle, &measured, &[], experiment.seed).svg();
    let known = (!known.is_empty()).then(|| estimates_chart(experiment, known).svg());
    let charts: Vec<String> = best.into_iter().chain([regret]).chain(known).collect();
    output::write_chart(path, stack(&charts))
}

/// The first trial once more, for what its agent knows at the end: trials keep numbers, not agents.
fn known(experiment: &Experiment) -> Result<Vec<ArmEstimate>, CliError> {
    let bar = Bar::new();
    bar.size(experiment.users);
    let mut run = Run::start(experiment, 0)?;
    let complete = run.complete(experiment, |people| {
        bar.served(people);
        !bar.stop()
    })?;
    if complete { Ok(run.estimates()) } else { Err(LabError::Interrupted { finished: 0, trials: 1 }.into()) }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    outcome: &'a Outcome,
    /// What the first trial's agent knows of each arm; none if the agent does not say.
    estimates_of_first_trial: Option<&'a [ArmEstimate]>,
}

fn print(experiment: &Experiment, outcome: &Outcome) {
    let line = Line::new(experiment.agent.clone(), experiment.epsilon);
    let trials =
        if outcome.trials == 1 { "1 trial".to_string() } else { format!("{} trials", outcome.trials) };
    println!(
        "{} on {}, {} people, {trials}, seed {}",
        line.label(),
        outcome.env,
        outcome.users,
        outcome.seed
    );
    if outcome.batch > 1 {
        println!("  batch       {} people between two refreshes of the policy", outcome.batch);
    }
    if let Some(forgers) = outcome.forgers {
        println!("  forgers     {} % of people, who {}", 100.0 * forgers.share, forgers.strategy.name());
        println!("  warned      in {} of {trials}", outcome.warned);
    }
    println!("  guarantee   {}", outcome.guarantee);
    println!("  noise       from a seed: {}", outcome.provenance.label());
    let regret = &outcome.regret.summary;
    let spread = match (regret.sd, regret.ci95) {
        (Some(sd), Some([low, high])) => {
            format!("  (sd {}, 95 % interval {} to {})", number(sd), number(low), number(high))
        }
        _ => String::new(),
    };
    println!("  regret      {}{spread}", number(regret.mean));
    let per_person = regret.mean / outcome.users as f64;
    println!("  per person  {per_person:.5} of reward lost against the best arm");
    if let Some(best) = &outcome.best_arm {
        println!("  best arm    {}", best.words());
    }
    let favourite = outcome.share_per_arm.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
    if let Some((arm, share)) = favourite {
        println!("  favourite   {}, given to {:.1} % of people", experiment.env.labels()[arm], 100.0 * share);
    }
    println!(
        "  time        {:.2} s, {:.1} million people a second",
        outcome.seconds,
        outcome.users_per_second / 1e6
    );
}
