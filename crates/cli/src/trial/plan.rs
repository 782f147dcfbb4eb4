//! `reticent trial plan`.

use std::path::PathBuf;

use reticent_chart::numbers::number;
use reticent_chart::page::Table;
use reticent_lab::trial::plan::{self, Planned, Point, Question, Turn};
use reticent_store::files;

use super::again;
use super::repeat::RepeatArgs;
use super::simulate::percent;
use super::world::WorldArgs;
use crate::output::{self, write_chart};
use crate::progress::Bar;
use crate::{CliError, print_table};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    world: WorldArgs,
    /// The wanted share of trials whose interval excludes zero
    #[arg(long, default_value_t = 0.8, allow_negative_numbers = true)]
    power: f64,
    /// Each stratum must have the power, not only everyone together
    #[arg(long)]
    every_stratum: bool,
    /// Arms, the control among them; the last has the effect
    #[arg(long, value_name = "K", default_value_t = 2)]
    arms: usize,
    /// The arm need not be better: it must be shown not to be worse by this or more (non-inferiority)
    #[arg(long, value_name = "M")]
    margin: Option<f64>,
    /// More people cannot be had
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    max_people: u64,
    #[command(flatten)]
    repeat: RepeatArgs,
    /// Draw power against people, with and without privacy, into this .svg or .png file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Write the plan into this file instead of printing it
    #[arg(long, value_name = "FILE")]
    write_spec: Option<PathBuf>,
    #[command(flatten)]
    replace: output::Replace,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let question = question(args)?;
    if let Some(path) = &args.plot {
        output::claim_chart(path, args.replace.force)?;
    }
    if let Some(path) = &args.write_spec {
        output::claim(path, args.replace.force)?;
    }
    let threads = args.repeat.threads()?;
    let bar = Bar::new();
    let planned = plan::answer(&question, args.plot.is_some(), threads, &bar);
    bar.finish();
    let planned = planned?;
    if let Some(path) = &args.plot {
        write_chart(path, plan::chart(&planned).svg())?;
    }
    let spec = again::in_plan(&reticent_jobs::trial::plan_file(&planned.spec), &again::command());
    if let Some(path) = args.write_spec.as_ref().filter(|_| planned.people.is_some()) {
        files::write_whole(path, spec.as_bytes())?;
    }
    if args.repeat.json {
        output::print_document("trial-plan", &planned)?;
    } else {
        print(args, &planned, &spec);
    }
    if planned.people.is_none() {
        let text = format!("{} people are not enough for a power of {}", args.max_people, args.power);
        return Err(CliError::No(text));
    }
    Ok(())
}

fn question(args: &Args) -> Result<Question, CliError> {
    if !(args.power > 0.0 && args.power < 1.0) {
        return Err(CliError::Usage("--power must be between 0 and 1, such as 0.8".into()));
    }
    // A power of 80 % is then known to one point.
    let trials = args.repeat.trials(1700);
    if !(1..=100_000).contains(&trials) {
        return Err(CliError::Usage("--trials must be between 1 and 100000".into()));
    }
    if !args.world.says_better() {
        let text = "say which outcomes are good ones: --better higher (alive, well, earned) or --better lower (died, pain, days in bed)";
        return Err(CliError::Usage(text.into()));
    }
    if args.margin.is_some_and(|margin| !(margin > 0.0 && margin.is_finite())) {
        return Err(CliError::Usage("--margin must be a positive number, in units of the outcome".into()));
    }
    Ok(Question {
        margin: args.margin,
        world: args.world.world("planned trial", args.max_people, args.arms)?,
        power: args.power,
        every_stratum: args.every_stratum,
        most: args.max_people,
        trials,
        seed: args.repeat.seed,
    })
}

fn print(args: &Args, planned: &Planned, spec: &str) {
    let whom = if planned.every_stratum { "in each stratum" } else { "for everyone together" };
    if let Some(people) = planned.people {
        println!("{people} people are needed for a power of {} {whom}", planned.power);
    } else {
        println!("{} people are not enough for a power of {} {whom}", args.max_people, planned.power);
    }
    let (plan, better) = (planned.spec.draft(), planned.spec.better().word());
    println!("  outcome     {}: {better} is better", plan.outcome.column);
    println!("  guarantee   {}", planned.guarantee);
    println!("  noise       from a seed: {}", planned.provenance.label());
    println!("\nwith so many people, in fresh trials:");
    print_table(&designs(planned));
    if !planned.dial.is_empty() {
        println!("\nwhat the dial costs: other allocations with the same power (a rougher search):");
        print_table(&dial(planned));
    }
    println!("\nsizes tried, {} trials each, the same people at each size:", planned.trials);
    print_table(&tried(&planned.tried));
    println!("\nfitted power never falls with people; ± is one standard error of the simulation");
    if let Some(path) = &args.plot {
        println!("drawn in {}", path.display());
    }
    if planned.people.is_none() {
        return;
    }
    if let Some(path) = &args.write_spec {
        println!("plan written to {}", path.display());
    } else {
        println!("\n{spec}");
    }
}

fn dial(planned: &Planned) -> Table {
    let row = |turn: &Turn| {
        let people = turn.people.map_or("more than were tried".into(), |people| people.to_string());
        let worse = turn.on_worse_arms.map_or("–".into(), number);
        (vec![turn.title.clone(), people, worse], false)
    };
    Table {
        head: ["allocation", "people", "on the worse arm"].map(String::from).to_vec(),
        rows: planned.dial.iter().map(row).collect(),
    }
}

fn designs(planned: &Planned) -> Table {
    let several = planned.spec.strata() > 1;
    let mut head = vec!["design", "power", "on the worse arm", "half-width"];
    if several {
        head.push("of strata");
    }
    let row = |point: &Point| {
        let mut cells = vec![
            point.design.title().to_string(),
            percent(point.power),
            number(point.on_worse_arms),
            format!("{:.4}", point.half_width),
        ];
        if several {
            cells.push(format!("{:.4}", point.half_width_of_strata));
        }
        (cells, false)
    };
    Table {
        head: head.into_iter().map(String::from).collect(),
        rows: planned.designs.iter().map(row).collect(),
    }
}

fn tried(points: &[Point]) -> Table {
    let row = |point: &Point| {
        let cells =
            vec![point.people.to_string(), percent(point.power), format!("{:.1} %", 100.0 * point.fitted)];
        (cells, false)
    };
    Table {
        head: ["people", "power", "fitted"].map(String::from).to_vec(),
        rows: points.iter().map(row).collect(),
    }
}
