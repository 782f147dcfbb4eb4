//! `reticent trial plan`.

use std::path::PathBuf;

use reticent_chart::numbers::number;
use reticent_chart::page::Table;
use reticent_lab::trial::plan::{self, Planned, Point, Question};
use reticent_store::files;

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
    let spec = reticent_jobs::trial::plan_file(&planned.spec);
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
    if !(1..=100_000).contains(&args.repeat.trials) {
        return Err(CliError::Usage("--trials must be between 1 and 100000".into()));
    }
    Ok(Question {
        world: args.world.world("planned trial", args.max_people, 2)?,
        power: args.power,
        every_stratum: args.every_stratum,
        most: args.max_people,
        trials: args.repeat.trials,
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
    println!("  guarantee   {}", planned.guarantee);
    println!("  noise       from a seed: {}", planned.provenance.label());
    println!("\nwith so many people, in fresh trials:");
    print_table(&designs(planned));
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
