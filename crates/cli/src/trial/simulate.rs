//! `reticent trial simulate`.

use std::path::{Path, PathBuf};

use reticent_chart::numbers::number;
use reticent_chart::page::Table;
use reticent_jobs::trial::report;
use reticent_lab::runner::Repeated;
use reticent_lab::stats::Summary;
use reticent_lab::trial::simulate::{MethodSummary, Share, Simulated, Simulation, TrialOutcome, many};
use reticent_store::files;

use super::repeat::RepeatArgs;
use super::world::WorldArgs;
use crate::progress::Bar;
use crate::{CliError, output, print_table};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// People in a trial
    #[arg(long, value_name = "N", default_value_t = 2000)]
    people: u64,
    /// Arms, the control among them
    #[arg(long, value_name = "K", default_value_t = 2)]
    arms: usize,
    #[command(flatten)]
    world: WorldArgs,
    #[command(flatten)]
    repeat: RepeatArgs,
    /// Write the summary and the report of the first trial, as JSON and as a page, into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    replace: output::Replace,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let threads = args.repeat.threads()?;
    let world = args.world.world("simulated trial", args.people, args.arms)?;
    let simulation = Simulation { world, trials: args.repeat.trials(200), seed: args.repeat.seed };
    simulation.check()?;
    if let Some(out) = &args.out {
        output::claim_in(out, &["simulation.json"], args.replace.force)?;
        output::claim_in(out, &report::FILES, args.replace.force)?;
    }
    let bar = Bar::new();
    let trials = many(&simulation, threads, &bar);
    bar.finish();
    let trials = trials?;
    let simulated = Simulated::new(&simulation, &trials)?;
    let page = args.out.as_deref().map(|out| write(out, &simulated, &trials)).transpose()?;
    if args.repeat.json {
        return output::print_document("trial-simulate", &simulated);
    }
    print(&simulated);
    if let Some(page) = page.flatten() {
        println!("\nreport of the first trial: {}", page.display());
    }
    Ok(())
}

fn write(out: &Path, simulated: &Simulated, trials: &[TrialOutcome]) -> Result<Option<PathBuf>, CliError> {
    let json = output::document("trial-simulate", simulated)?;
    files::write_whole(&out.join("simulation.json"), (json + "\n").as_bytes())?;
    let Some(first) = trials.first() else { return Ok(None) };
    let written = report::write(out, &first.release, &first.analysis, Some(simulated.seed))?;
    Ok(Some(written.page))
}

fn print(simulated: &Simulated) {
    let plan = simulated.spec.draft();
    let plural =
        |count: u64, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    println!(
        "{} people, {} arms, {}, {} arrivals, alpha {}, {}, seed {}",
        plan.people,
        plan.arms.len(),
        plural(simulated.spec.strata() as u64, "stratum", "strata"),
        simulated.arrivals.name(),
        plan.alpha,
        plural(u64::from(simulated.trials), "trial", "trials"),
        simulated.seed
    );
    println!("  guarantee    {}", simulated.guarantee);
    println!("  noise        from a seed: {}", simulated.provenance.label());
    println!("  regret       {}", spread(&simulated.regret));
    println!("  worse arms   {} people", spread(&simulated.on_worse_arms));
    if let Some(planned) = simulated.planned() {
        let powers = |all: &[reticent_lab::trial::simulate::Accuracy]| {
            let shares: Vec<String> = all.iter().map(|one| percent(one.excludes_zero)).collect();
            shares.join(", ")
        };
        println!("  power        everyone {}", powers(&planned.everyone));
        if simulated.spec.strata() > 1 {
            println!("               strata   {}", powers(&planned.strata));
        }
    }
    println!("\n{} intervals, and how often they contained the truth:", percent_of(plan.confidence));
    print_table(&table(simulated));
    println!(
        "\npower is the share of trials whose planned interval (augmented) excludes zero, ± its standard error;"
    );
    println!(
        "regret is the outcome that people lost against the best arm for their stratum, mean over trials"
    );
}

fn table(simulated: &Simulated) -> Table {
    let several = simulated.spec.strata() > 1;
    let mut head = vec!["interval", "coverage", "mean width", "mean squared error (sd)"];
    if several {
        head.extend(["strata: least", "mean", "most", "width"]);
    }
    let row = |one: &MethodSummary| {
        let everyone = &one.everyone[0];
        let mut cells = vec![
            one.method.title().to_string(),
            percent(everyone.coverage),
            format!("{:.4}", everyone.width.mean),
            format!("{:.2e} ({:.1e})", everyone.squared_error.mean, everyone.squared_error.sd.unwrap_or(0.0)),
        ];
        if several {
            cells.extend(one.coverage_of_strata.map(percent_of));
            let widths: f64 = one.strata.iter().map(|stratum| stratum.width.mean).sum();
            cells.push(format!("{:.4}", widths / one.strata.len() as f64));
        }
        (cells, false)
    };
    Table {
        head: head.into_iter().map(String::from).collect(),
        rows: simulated.methods.iter().map(row).collect(),
    }
}

fn spread(summary: &Summary) -> String {
    let sd = summary.sd.map_or(String::new(), |sd| format!(" (sd {})", number(sd)));
    format!("{}{sd}", number(summary.mean))
}

pub(super) fn percent(share: Share) -> String {
    format!("{} ± {:.1}", percent_of(share.share), 100.0 * share.error)
}

fn percent_of(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
