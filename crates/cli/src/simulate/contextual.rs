//! Contextual bandits.

use std::path::{Path, PathBuf};

use reticent_chart::numbers::number;
use reticent_chart::plot::stack;
use reticent_lab::best_arm::best_arm_chart;
use reticent_lab::contextual::env::{World, WorldOptions};
use reticent_lab::contextual::{
    AgentName, ContextualError, Experiment, Outcome, label, learned, map_chart, regret_chart,
};
use reticent_lab::named::Named;
use reticent_lab::reproduce::mark;
use reticent_lab::runner::{LabError, Repeated};

use super::{Args, run_trials};
use crate::{CliError, output, threads};

pub(super) fn run(args: &Args, agent: AgentName) -> Result<(), CliError> {
    if args.save.is_some() || args.load.is_some() {
        return Err(CliError::Usage(
            "--save and --load are for multi-armed agents; use --out to go on later".into(),
        ));
    }
    let threads = threads(args.threads)?;
    let experiment = experiment(args, agent)?;
    experiment.check()?;
    for path in args.plot.iter().flat_map(|path| [path.clone(), map_of(path)]) {
        output::claim_chart(&path, args.replace.force)?;
    }
    let done = run_trials(args, &experiment, &experiment.key(), threads)?;
    let outcome = Outcome::new(&experiment, &done.trials, done.fresh, done.seconds)?;
    let drawn = args.plot.as_ref().map(|path| draw(path, &experiment, &outcome)).transpose()?;
    if args.json {
        output::print_document("simulate-contextual", &outcome)?;
    } else {
        print(&experiment, &outcome);
        for path in drawn.iter().flatten() {
            println!("  drawn       {}", path.display());
        }
    }
    Ok(())
}

fn experiment(args: &Args, agent: AgentName) -> Result<Experiment, CliError> {
    let asked = &args.contextual;
    let options = WorldOptions { dims: asked.dims, arms: asked.arms, target_group: asked.target_group };
    let world = World::open(&args.env, &options).map_err(wrong)?;
    let mut experiment = Experiment::new(agent, world, args.epsilon);
    experiment.users = args.users.unwrap_or(experiment.users);
    (experiment.trials, experiment.seed, experiment.half_life) = (args.trials, args.seed, asked.half_life);
    (experiment.batch, experiment.arm_epsilon) = (args.batch, asked.arm_epsilon);
    experiment.delay = asked.delay.unwrap_or(0);
    experiment.forgers = args.forgers()?;
    // A file's other groups are there whether asked for or not; agents that have no use for them leave them.
    let from_file = experiment.world.people().is_some();
    let sources = experiment.world.sources(&asked.source).map_err(wrong)?;
    if !from_file && asked.source_epsilon.is_some() {
        let text = "--source-epsilon is for data: a made-up source names its own, as in --source people=5000,epsilon=8";
        return Err(CliError::Usage(text.into()));
    }
    if asked.no_sources || (from_file && !agent.uses_sources()) {
        return Ok(experiment);
    }
    let with_loss = sources.into_iter().map(|source| {
        let epsilon = source.epsilon().or(asked.source_epsilon).ok_or(ContextualError::SourceEpsilon)?;
        Ok((source, epsilon))
    });
    experiment.sources = with_loss.collect::<Result<_, ContextualError>>().map_err(wrong)?;
    Ok(experiment)
}

fn wrong(error: impl Into<ContextualError>) -> CliError {
    CliError::Lab(LabError::Contextual(error.into()))
}

/// The map's file, beside the curve's.
fn map_of(path: &Path) -> PathBuf {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("plot");
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("svg");
    path.with_file_name(format!("{stem}-map.{extension}"))
}

/// The regret curve, and beside it the map of what the first trial learned.
fn draw(path: &Path, experiment: &Experiment, outcome: &Outcome) -> Result<Vec<PathBuf>, CliError> {
    let name = label(experiment);
    let subtitle = format!(
        "Environment {}; mean of {} trials, band is a 95 % confidence interval",
        outcome.env, outcome.trials
    );
    let lines = [(name.clone(), outcome)];
    let best = outcome.best_arm.as_ref().map(|best| {
        let title = format!("Who gets the best arm for them: {name}");
        best_arm_chart(&title, &subtitle, best, experiment.seed).svg()
    });
    let regret = regret_chart(&format!("Regret of {name}"), subtitle, &lines, experiment.seed).svg();
    output::write_chart(path, stack(&best.into_iter().chain([regret]).collect::<Vec<_>>()))?;
    let Some(insight) = learned(experiment)? else { return Ok(vec![path.to_path_buf()]) };
    let map = map_of(path);
    let subtitle = format!(
        "Environment {}, the first trial after {} people; pale where it is not sure",
        outcome.env, outcome.users
    );
    let chart = map_chart(
        &insight,
        &experiment.world,
        &format!("What {name} has learned"),
        subtitle,
        mark(experiment.seed),
    );
    output::write_chart(&map, chart.svg())?;
    Ok(vec![path.to_path_buf(), map])
}

fn print(experiment: &Experiment, outcome: &Outcome) {
    let trials =
        if outcome.trials == 1 { "1 trial".to_string() } else { format!("{} trials", outcome.trials) };
    println!(
        "{} on {} ({} coordinates, {} arms), {} people, {trials}, seed {}",
        label(experiment),
        outcome.env,
        outcome.dims,
        outcome.arms,
        outcome.users,
        outcome.seed
    );
    if outcome.batch > 1 {
        println!("  batch       {} people between two looks of a device for a new policy", outcome.batch);
    }
    if outcome.delay > 0 {
        println!("  delay       {} people are served before a report arrives", outcome.delay);
    }
    if let Some(rows) = outcome.drawn_from {
        println!("  drawn       people are drawn from {rows} rows with replacement");
    }
    if let Some(forgers) = outcome.forgers {
        println!("  forgers     {} % of people, who {}", 100.0 * forgers.share, forgers.strategy.name());
        println!("  warned      in {} of {trials}", outcome.warned);
    }
    println!("  guarantee   {}", outcome.guarantee);
    if let Some(epsilon) = outcome.arm_epsilon {
        println!("  arm         {epsilon} of that is for the arm that a person is seen to get");
    }
    println!("  noise       from a seed: {}", outcome.provenance.label());
    let from_file = experiment.world.people().is_some();
    let spread = |summary: &reticent_lab::stats::Summary, digits: &dyn Fn(f64) -> String| match (
        summary.sd,
        summary.ci95,
    ) {
        (Some(sd), Some([low, high])) => {
            format!("  (sd {}, 95 % interval {} to {})", digits(sd), digits(low), digits(high))
        }
        _ => String::new(),
    };
    let what = if from_file { "mistakes" } else { "regret  " };
    println!("  {what}    {}{}", number(outcome.regret.mean), spread(&outcome.regret, &number));
    if let Some(best) = &outcome.best_arm {
        println!("  best arm    {}", best.words());
    }
    let fine = |value: f64| format!("{value:.4}");
    println!(
        "  reward      {} a person{}",
        fine(outcome.mean_reward.mean),
        spread(&outcome.mean_reward, &fine)
    );
    if let Some(undecided) = outcome.undecided {
        println!(
            "  undecided   {:.1} % of people: no arm is best for them with a probability of 0.9",
            100.0 * undecided
        );
    }
    for source in &outcome.sources {
        let weight =
            source.weight.map_or("trusted like the target".to_string(), |w| format!("final weight {w:.2}"));
        println!(
            "  source      {}: {} people at ε = {}, {weight}",
            source.name, source.people, source.epsilon
        );
    }
    let favourite = outcome.share_per_arm.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
    if let Some((arm, share)) = favourite {
        println!(
            "  favourite   {}, given to {:.1} % of people",
            experiment.world.labels()[arm],
            100.0 * share
        );
    }
    println!(
        "  time        {:.2} s, {:.2} million people a second",
        outcome.seconds,
        outcome.users_per_second / 1e6
    );
}
