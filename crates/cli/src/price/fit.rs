//! `reticent price fit`.

use std::path::{Path, PathBuf};

use reticent_chart::numbers::count;
use reticent_chart::numbers::tidy;
use reticent_jobs::price::policy::{FitLogs, FittedLogs, Wish, earned, report_page};
use reticent_learn::pricing::{Earns, Policy};
use reticent_store::files;
use serde_json::{Map, json};

use super::list::{PriceList, price};
use super::{compared, rules, show};
use crate::CliError;
use crate::output;
use crate::progress::Bar;
use crate::table;

#[derive(Clone, Copy, clap::ValueEnum)]
pub(super) enum Goal {
    /// The outcome is demand; each unit earns its price
    Revenue,
    /// The same less --cost
    Profit,
    /// The outcome is the reward itself
    Outcome,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Method {
    /// Prices by context where they surely gain, and one price elsewhere
    PrivatePricing,
    /// The best single price for everybody
    Single,
    /// The paper's Algorithm 2 on raw tables: not private
    NwLcb,
    /// The paper's Algorithms 1 and 3 on raw tables, with noise from a seed: not private
    LdpNwLcb,
}

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Privatised logs of one market; their epsilons may differ. Of the paper's methods: tables of sales
    #[arg(value_name = "LOG.rpl", required = true)]
    pub(super) logs: Vec<PathBuf>,
    /// Write the policy into this file; of the paper's methods: a table of prices
    #[arg(long, value_name = "POLICY.json")]
    pub(super) out: PathBuf,
    /// How prices are chosen
    #[arg(long, value_enum, value_name = "METHOD", default_value = "private-pricing")]
    method: Method,
    /// What to earn [default: revenue where outcomes lie between 0 and 1, else outcome; profit with --cost]
    #[arg(long, value_enum, value_name = "GOAL")]
    pub(super) objective: Option<Goal>,
    /// What a unit costs, for profit
    #[arg(long, value_name = "C", value_parser = price, allow_negative_numbers = true)]
    pub(super) cost: Option<f64>,
    /// The prices to choose from, such as 4.99,9.99 [default: all of the log's list, or 49 over its range, 25
    /// with three contexts or more]
    #[arg(long, value_name = "P,P,...", allow_negative_numbers = true)]
    prices: Option<PriceList>,
    /// Quote no price below this
    #[arg(long, value_name = "P", value_parser = price, allow_negative_numbers = true)]
    min: Option<f64>,
    /// Quote no price above this
    #[arg(long, value_name = "P", value_parser = price, allow_negative_numbers = true)]
    max: Option<f64>,
    /// How sure to be that pessimistic values hold for all contexts and prices at once
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, allow_negative_numbers = true)]
    confidence: f64,
    /// Outcomes never grow with the price: people buy no more when it is dearer. Choices of revenue or profit
    /// take that for granted; with this, promises do too
    #[arg(long)]
    monotone: bool,
    /// The price where nothing is known to earn anything [default: chosen there as elsewhere]
    #[arg(long, value_name = "P", value_parser = price, allow_negative_numbers = true)]
    fallback: Option<f64>,
    /// Contexts for which prices will be quoted, a row each, as CSV, gzip or Parquet; nothing protects them
    /// here [default: the log's own]
    #[arg(long, value_name = "FILE")]
    pub(super) target: Option<PathBuf>,
    #[command(flatten)]
    written: table::Written,
    /// Write a page about the policy into this file: self-contained, for people
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    #[command(flatten)]
    pub(super) shown: output::Shown,
    #[command(flatten)]
    rules: rules::RuleArgs,
    #[command(flatten)]
    pub(super) compared: compared::ComparedArgs,
}

impl Args {
    /// What was asked for that our own methods alone can do.
    pub(super) fn ours(&self) -> Option<&'static str> {
        let given = [
            ("--prices", self.prices.is_some()),
            ("--min", self.min.is_some()),
            ("--max", self.max.is_some()),
            ("--monotone", self.monotone),
            ("--fallback", self.fallback.is_some()),
            ("--plot", self.shown.plot.is_some()),
            ("--report", self.report.is_some()),
        ];
        let other = given.into_iter().find(|(_, given)| *given).map(|(name, _)| name);
        other.or_else(|| self.rules.any().then_some("a rule"))
    }
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    match args.method {
        Method::PrivatePricing | Method::Single => args.compared.refused()?,
        Method::NwLcb => return compared::run(args, false),
        Method::LdpNwLcb => return compared::run(args, true),
    }
    check(args)?;
    let wish = wish(args)?;
    let logs: Vec<&Path> = args.logs.iter().map(PathBuf::as_path).collect();
    let target = args.target.as_ref().map(|place| args.written.table(place)).transpose()?;
    let done = Bar::during(|bar| FitLogs { logs: &logs, wish: &wish, target: target.as_ref() }.run(bar))?;
    if let Some(path) = &args.shown.plot {
        show::draw(&done.policy, &done.guarantee, path)?;
    }
    if let Some(path) = &args.report {
        files::write_whole(path, report_page(&done).as_bytes())?;
    }
    done.stored().write(&args.out)?;
    show::warn_overlap(&done.overlap, &show::people(done.target));
    show::warn_gaps(&done.gaps);
    show::warn_follows(&done.price_follows);
    show::warn_rise(done.outcomes_rise);
    show::warn_forged(&done.forged);
    show::warn_unknown(&done.single, done.policy.objective());
    if let Some(kept) = &done.kept {
        rules::warn(kept);
    }
    if args.shown.json {
        output::print_document("price-fit", &document(args, &done))?;
    } else {
        print(args, &done);
    }
    Ok(())
}

fn check(args: &Args) -> Result<(), CliError> {
    let logs = args.logs.iter().map(|log| ("log", log.as_path()));
    let read: Vec<(&str, &Path)> =
        logs.chain(args.target.iter().map(|file| ("target sample", file.as_path()))).collect();
    let written = [
        ("--out", Some(args.out.as_path())),
        ("--plot", args.shown.plot.as_deref()),
        ("--report", args.report.as_deref()),
    ];
    show::check_files(&written, &read)?;
    args.shown.plot.as_deref().map(output::is_png).transpose()?;
    for path in [Some(&args.out), args.shown.plot.as_ref(), args.report.as_ref()].into_iter().flatten() {
        output::claim(path, args.shown.force)?;
    }
    Ok(())
}

/// What is earned, if anything was said.
pub(super) fn goal(objective: Option<Goal>, cost: Option<f64>) -> Result<Option<Earns>, CliError> {
    let usage = |text: &str| Err(CliError::Usage(text.into()));
    match (objective, cost) {
        (None, None) => Ok(None),
        (Some(Goal::Revenue), None) => Ok(Some(Earns::Margin { cost: 0.0 })),
        (Some(Goal::Outcome), None) => Ok(Some(Earns::Outcome)),
        (None | Some(Goal::Profit), Some(cost)) => Ok(Some(Earns::Margin { cost })),
        (Some(Goal::Profit), None) => usage("--objective profit needs --cost"),
        (Some(_), Some(_)) => usage("--cost goes with --objective profit alone"),
    }
}

fn wish(args: &Args) -> Result<Wish, CliError> {
    let earns = goal(args.objective, args.cost)?;
    Ok(Wish {
        earns,
        prices: args.prices.clone().map_or_else(Vec::new, |list| list.0),
        min: args.min,
        max: args.max,
        confidence: Some(args.confidence),
        monotone: args.monotone,
        fallback: args.fallback,
        asked: args.rules.asked(args.method == Method::Single)?,
    })
}

/// The names of all axes, the price last, with their length scales.
fn lengths(policy: &Policy) -> impl Iterator<Item = (&str, f64)> {
    let names = policy.terms().context().axes().map(|axis| axis.name).chain(["price"]);
    names.zip(policy.learned().lengths.iter().copied())
}

fn document(args: &Args, done: &FittedLogs) -> serde_json::Value {
    let learned = done.policy.learned();
    let lengths: Map<_, _> =
        lengths(&done.policy).map(|(name, length)| (name.to_string(), json!(length))).collect();
    json!({
        "file": args.out,
        "guarantee": done.guarantee,
        "logs": done.sources,
        "reports": learned.reports,
        "earns": earned(done.policy.objective()),
        "objective": done.policy.objective(),
        "lengths": lengths,
        "band": learned.band,
        "overlap": done.overlap,
        "value": done.worth,
        "best_single_price": done.single,
        "choice": done.policy.choice(),
        "gaps": done.gaps,
        "price_follows": done.price_follows,
        "forged": done.forged.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "outcomes_rise": done.outcomes_rise,
        "evidence": learned.evidence,
        "target": args.target,
        "target_contexts": done.target,
        "plot": args.shown.plot,
        "report": args.report,
        "rules": done.kept,
    })
}

fn print(args: &Args, done: &FittedLogs) {
    let (objective, learned) = (done.policy.objective(), done.policy.learned());
    let what = earned(objective);
    let names: Vec<&str> = done.policy.terms().context().axes().map(|axis| axis.name).collect();
    let whose = if names.is_empty() { "for everybody".into() } else { format!("by {}", names.join(", ")) };
    println!("a price {whose}, for the highest {what}");
    show::print_sources(&done.sources);
    println!("  reports     {}", count(learned.reports));
    if args.objective.is_none() && args.cost.is_none() {
        println!(
            "  objective   {what}, since none was named: if outcomes are rewards already, say --objective outcome; if sales, revenue"
        );
    }
    println!("  prices      {}", prices(&objective.prices));
    if !names.is_empty() {
        println!("  contexts    {}", influence(&done.policy));
    }
    show::print_overlap(&done.overlap, &show::people(done.target));
    println!("  expected    {what} from a person: {}", show::worth(&done.worth, objective.confidence));
    println!("              {}", show::single(&done.single, objective.confidence));
    if let Some(choice) = done.policy.choice() {
        if args.method == Method::Single {
            println!("  quoted      {} to everybody, as was asked", show::price(choice.single));
        } else {
            println!("  quoted      {}", show::choice(choice, what));
        }
    }
    println!("              by the logs it was learned from: `reticent price evaluate` asks others");
    if let Some(kept) = &done.kept {
        rules::print(kept, what);
    }
    println!(
        "  pessimism   {} deviations, so that the band holds for all contexts and prices at once with {} % confidence",
        tidy(learned.band),
        tidy(100.0 * objective.confidence)
    );
    println!("  policy      {}", args.out.display());
    if let Some(path) = &args.shown.plot {
        println!("  drawn       {}", path.display());
    }
    if let Some(path) = &args.report {
        println!("  report      {}", path.display());
    }
    println!("\nask it with: reticent price quote {} --at \"{}\"", args.out.display(), middle(&done.policy));
}

/// `4.99, 9.99`, or the ends of many.
fn prices(prices: &[f64]) -> String {
    const MOST: usize = 8;
    let shown = |prices: &[f64]| prices.iter().map(|&one| show::price(one)).collect::<Vec<_>>().join(", ");
    match prices {
        [low, .., high] if prices.len() > MOST => {
            format!("{} from {} to {}", prices.len(), show::price(*low), show::price(*high))
        }
        few => shown(few),
    }
}

/// `income matters (length 0.3 of its range); age is not shown to matter`.
fn influence(policy: &Policy) -> String {
    let contexts = policy.terms().context().dimension();
    let each = lengths(policy).take(contexts).enumerate().map(|(axis, (name, length))| {
        match policy.learned().matters(axis) {
            Some(true) => format!("{name} matters (length {} of its range)", tidy(length)),
            _ => format!("{name} is not shown to matter"),
        }
    });
    let all = each.collect::<Vec<_>>().join("; ");
    format!("{all}\n              (what does not matter is said to in at most 5 % of logs)")
}

/// The middle of the contexts, as `--at` wants it.
fn middle(policy: &Policy) -> String {
    use reticent_schema::Field;
    let fields = policy.terms().context().fields().iter().map(|field| match field {
        Field::Numeric { name, low, high } => format!("{name}={}", tidy(f64::midpoint(*low, *high))),
        Field::Category { name, levels } => format!("{name}={}", levels[0]),
    });
    fields.collect::<Vec<_>>().join(",")
}
