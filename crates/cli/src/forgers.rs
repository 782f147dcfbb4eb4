//! `reticent forgers`.

use reticent_chart::page::Table;
use reticent_privacy::Epsilon;
use reticent_privacy::forged::{Influence, undecidable};
use reticent_privacy::oracle::{Domain, FrequencyOracle};
use serde::Serialize;

use super::{CliError, output, print_table};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The loss of each report
    #[arg(long, value_name = "E")]
    epsilon: Epsilon,
    /// Shares of people who forge
    #[arg(long, value_name = "SHARE", value_delimiter = ',', default_values = ["0.01", "0.05", "0.1"])]
    share: Vec<f64>,
    /// Symbols of a report that hides a context, arm or price as well: cells times arms times good or bad
    #[arg(long, value_name = "N", default_value_t = 16)]
    symbols: u32,
    /// A difference of two arms' mean rewards, in units of the rewards' range: which share could have made it?
    #[arg(long, value_name = "D")]
    difference: Option<f64>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// What is printed.
#[derive(Serialize)]
struct Document {
    epsilon: Epsilon,
    symbols: u32,
    /// What one forged bit can stand for, where an honest person's value lies between 0 and 1.
    bit: [f64; 2],
    /// The same of one symbol's share.
    symbol: [f64; 2],
    shares: Vec<Row>,
    /// The share of forgers up to which a difference keeps its sign.
    #[serde(skip_serializing_if = "Option::is_none")]
    overturned_by: Option<f64>,
}

/// What one share of forgers can do.
#[derive(Serialize)]
struct Row {
    share: f64,
    /// How far the estimate of a mean moves at most.
    mean_moves: f64,
    /// How far the difference of two means moves at most.
    difference_moves: f64,
    /// How far a symbol's share moves at most.
    symbol_moves: f64,
    /// Means that no server can tell apart, from whatever channel of this loss.
    undecidable: f64,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    if args.share.iter().any(|share| !(0.0..1.0).contains(share)) {
        return Err(CliError::Usage("--share: a share of forgers lies between 0 and 1".into()));
    }
    if args.difference.is_some_and(|difference| !(0.0..=1.0).contains(&difference)) {
        return Err(CliError::Usage(
            "--difference: give it in units of the rewards' range, from 0 to 1".into(),
        ));
    }
    let domain = Domain::new(args.symbols).map_err(|error| CliError::Usage(format!("--symbols: {error}")))?;
    let bit = Influence::of_bit(args.epsilon);
    let symbol = Influence::of_symbol(&FrequencyOracle::best(domain, args.epsilon));
    let row = |&share: &f64| Row {
        share,
        mean_moves: bit.most(share),
        difference_moves: share * bit.width(),
        symbol_moves: symbol.most(share),
        undecidable: undecidable(args.epsilon, share),
    };
    let document = Document {
        epsilon: args.epsilon,
        symbols: args.symbols,
        bit: [bit.lowest, bit.highest],
        symbol: [symbol.lowest, symbol.highest],
        shares: args.share.iter().map(row).collect(),
        overturned_by: args.difference.map(|difference| bit.overturned_by(difference)),
    };
    if args.json {
        return output::print_document("forgers", &document);
    }
    print(args, &document);
    Ok(())
}

fn print(args: &Args, document: &Document) {
    println!(
        "What forged reports can do at ε = {}, in units of the range of what is reported",
        document.epsilon
    );
    let head =
        ["forgers", "a mean moves by", "a difference by", "a symbol's share by", "nobody can tell apart"];
    let row = |row: &Row| {
        let digits = |value: f64| format!("{value:.4}");
        let cells = [row.mean_moves, row.difference_moves, row.symbol_moves, row.undecidable].map(digits);
        ([vec![format!("{} %", 100.0 * row.share)], cells.to_vec()].concat(), false)
    };
    let rows = document.shares.iter().map(row).collect();
    print_table(&Table { head: head.map(String::from).to_vec(), rows });
    if let (Some(difference), Some(share)) = (args.difference, document.overturned_by) {
        println!("\na difference of {difference} keeps its sign up to {:.1} % forgers", 100.0 * share);
    }
}
