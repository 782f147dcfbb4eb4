//! Multi-armed bandits.

use std::path::Path;

use reticent_chart::numbers::number;
use reticent_jobs::Progress;
use reticent_lab::clock::Stopwatch;
use reticent_lab::mab::reproduce::{Line, Measured, regret_chart};
use reticent_lab::mab::{self, AgentName, Environment, Experiment, Outcome, Run};
use reticent_lab::named::{Named, Rewards};
use reticent_lab::runner::{LabError, Repeated};

use super::{Args, run_trials};
use crate::progress::Bar;
use crate::{CliError, output, threads};

/// People in a trial, unless told otherwise.
const USERS: u64 = 100_000;

pub(super) fn run(args: &Args, agent: AgentName) -> Result<(), CliError> {
    let threads = threads(args.threads)?;
    let experiment = Experiment {
        agent,
        env: Environment::open(&args.env)?,
        epsilon: args.epsilon,
        users: args.users.unwrap_or(USERS),
        batch: args.batch,
        trials: args.trials,
        seed: args.seed,
    };
    experiment.check()?;
    warn_about_range(&experiment);
    let outcome = if args.save.is_some() || args.load.is_some() {
        run_single(args, &experiment)?
    } else {
        let done = run_trials(args, &experiment, &experiment.key(), threads)?;
        Outcome::new(&experiment, &done.trials, done.fresh, done.seconds)?
    };
    if let Some(path) = &args.plot {
        draw(path, &experiment, outcome.clone())?;
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&outcome)?);
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

fn warn_about_range(experiment: &Experiment) {
    if experiment.agent.rewards() == Rewards::Unit && !experiment.env.is_unit() {
        eprintln!(
            "note: {} is for rewards in [0, 1]; this environment's are clipped on the device. Try ldp-thompson-unbounded.",
            experiment.agent
        );
    }
}

fn draw(path: &Path, experiment: &Experiment, outcome: Outcome) -> Result<(), CliError> {
    let line = Line::new(experiment.agent, experiment.epsilon);
    let title = format!("Regret of {}", line.label());
    let (env, trials) = (experiment.env.name(), experiment.trials);
    let subtitle = format!("Environment {env}; mean of {trials} trials, band is a 95 % confidence interval");
    let measured = [Measured { line, env: experiment.env.clone(), outcome }];
    let svg = regret_chart(&title, subtitle, &measured, &[], experiment.seed).svg();
    output::write_chart(path, svg)
}

fn print(experiment: &Experiment, outcome: &Outcome) {
    let line = Line::new(experiment.agent, experiment.epsilon);
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
