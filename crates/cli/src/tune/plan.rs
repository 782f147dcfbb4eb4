//! `reticent tune plan`.

use std::path::{Path, PathBuf};

use reticent_chart::numbers::count;
use reticent_chart::numbers::tidy;
use reticent_chart::page::Table;
use reticent_curate::kernel::{KernelSpec, Population, ReleaseLoss, promise};
use reticent_jobs::tune::{EXAMPLE, Forecast, TuneError, draw_actions, forecast};
use reticent_privacy::{Delta, Epsilon, NoiseRng};
use serde_json::json;

use super::show;
use crate::output;
use crate::progress::Bar;
use crate::{CliError, print_table};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The plan: what is set, what is known about people, what comes of it; or an experiment's document
    #[arg(value_name = "PLAN.toml", required_unless_present = "example")]
    plan: Option<PathBuf>,
    /// Print a commented plan to start from, and nothing else
    #[arg(long, exclusive = true)]
    example: bool,
    /// The privacy loss that the release shall have
    #[arg(long, value_name = "E", default_value = "1", allow_negative_numbers = true)]
    epsilon: Epsilon,
    /// Its failure probability
    #[arg(long, value_name = "D", default_value = "0.000001", allow_negative_numbers = true)]
    delta: Delta,
    /// Numbers of people to compare, separated by commas
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_values_t = [1000, 10_000, 100_000])]
    people: Vec<u64>,
    /// A public log, of other people, from which length scales are learned instead of the plan's
    #[arg(long, value_name = "FILE")]
    public: Option<PathBuf>,
    /// Draw so many actions to try next
    #[arg(long, value_name = "N", requires = "out")]
    batch: Option<u64>,
    /// Write the drawn actions into this file, a row each
    #[arg(long, value_name = "FILE.csv", requires = "batch")]
    out: Option<PathBuf>,
    /// Replace a file that exists
    #[arg(long, requires = "out")]
    force: bool,
    /// Print one JSON document and nothing else
    #[arg(long)]
    json: bool,
}

/// More people do not live.
const MOST_PEOPLE: u64 = 10_000_000_000;

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let Some(plan) = args.plan.as_deref().filter(|_| !args.example) else {
        print!("{EXAMPLE}");
        return Ok(());
    };
    if args.people.iter().any(|people| !(1..=MOST_PEOPLE).contains(people)) {
        return Err(CliError::Usage(format!("--people must be between 1 and {MOST_PEOPLE}")));
    }
    let setting = super::fit::settled(plan, args.public.as_deref(), Some(args.epsilon), &Bar::new())?.setting;
    if let Some(out) = &args.out {
        output::claim(out, args.force)?;
    }
    let budget = ReleaseLoss::new(args.epsilon, args.delta).map_err(TuneError::from)?;
    let rows = args.people.iter().map(|&people| forecast(&setting, &Population::Uniform, budget, people));
    let rows: Vec<_> = rows.collect();
    let batch = args.batch.zip(args.out.as_deref());
    if let Some((count, out)) = batch {
        let mut rng = NoiseRng::from_os().map_err(TuneError::from)?;
        draw_actions(&setting, count, out, &mut rng)?;
    }
    if args.json {
        output::print_document("tune-plan", &document(args, &setting, &rows, batch))?;
    } else {
        print(args, &setting, &rows, batch);
    }
    Ok(())
}

fn document(
    args: &Args,
    setting: &KernelSpec,
    rows: &[Forecast],
    batch: Option<(u64, &Path)>,
) -> serde_json::Value {
    json!({
        "plan": setting,
        "guarantee": promise(args.epsilon, args.delta),
        "expected": rows,
        "expected_with_nobody": setting.half_range() / 2.0,
        "batch": batch.map(|(count, out)| json!({ "actions": count, "file": out })),
    })
}

fn print(args: &Args, setting: &KernelSpec, rows: &[Forecast], batch: Option<(u64, &Path)>) {
    let plan = setting.draft();
    println!("{}: the plan is sound", show::subject(plan));
    println!("  guarantee   {}", promise(args.epsilon, args.delta));
    println!("  reward      {}, {} to {}", plan.reward.column, tidy(plan.reward.low), tidy(plan.reward.high));
    if args.public.is_some() {
        println!("  lengths     {}", show::lengths(setting));
    }
    println!(
        "\nexpected error of the released function (root mean square, in units of {}):",
        plan.reward.column
    );
    print_table(&table(rows));
    println!(
        "\nfor a function that fills half the range, of which knowing nothing misses {}; contexts spread evenly",
        tidy(setting.half_range() / 2.0)
    );
    if let Some((count, out)) = batch {
        println!("\n{count} actions written to {}", out.display());
        println!(
            "  drawn evenly over their ranges, from the operating system's entropy: actions that depend on nobody cost no privacy"
        );
    }
}

fn table(rows: &[Forecast]) -> Table {
    let head = ["people", "with privacy", "without its noise", "due to the noise", "numbers released"];
    let row = |one: &Forecast| {
        let cells = vec![
            count(one.people),
            tidy(one.error),
            tidy(one.error_without_privacy),
            tidy(one.noise),
            one.released_numbers.to_string(),
        ];
        (cells, false)
    };
    Table { head: head.map(String::from).to_vec(), rows: rows.iter().map(row).collect() }
}
