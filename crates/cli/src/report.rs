//! `reticent report`.

use std::io::{BufWriter, Write};

use reticent_lab::catalogue::{self, Asked, CatalogueError};
use reticent_privacy::Epsilon;
use serde_json::Value;

use super::CliError;
use crate::stream::Output;

#[derive(clap::Args)]
pub(super) struct Args {
    /// A mechanism or a local agent: see `reticent list`
    name: String,
    /// The loss of one output
    #[arg(long, value_name = "E")]
    epsilon: Epsilon,
    /// The raw input as JSON: `reticent list` shows one for each name
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    input: String,
    /// How many outputs, each drawn on its own
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u64,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let entry = catalogue::find(&args.name)?;
    // The parser's message could repeat the input: say only that it is no JSON.
    let input: Value = serde_json::from_str(&args.input).map_err(|_| CatalogueError::Input {
        name: entry.name(),
        problem: "it is no JSON".into(),
        example: entry.example(),
    })?;
    let mut out = BufWriter::new(Output);
    let asked = Asked { epsilon: args.epsilon, input: &input, count: args.count };
    let done = entry.report(&asked, &mut |value| {
        serde_json::to_writer(&mut out, value)?;
        out.write_all(b"\n")
    });
    match done.and_then(|()| Ok(out.flush()?)) {
        // Standard output keeps its own failures.
        Err(CatalogueError::Write(_)) => Ok(()),
        done => Ok(done?),
    }
}
