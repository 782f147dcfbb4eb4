//! How often simulated trials are run, and how the answer is told.

use crate::{CliError, threads};

#[derive(clap::Args)]
pub(crate) struct RepeatArgs {
    /// Simulated trials (of a plan: at each size) [default: 200, and of a plan 1700: power to a point]
    #[arg(long)]
    trials: Option<u32>,
    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Threads for trials; results do not depend on it [default: all cores]
    #[arg(long)]
    threads: Option<usize>,
    /// Print one JSON document and nothing else
    #[arg(long)]
    pub(super) json: bool,
}

impl RepeatArgs {
    /// How many trials, or so many if nothing was said.
    pub(super) fn trials(&self, usual: u32) -> u32 {
        self.trials.unwrap_or(usual)
    }

    pub(super) fn threads(&self) -> Result<usize, CliError> {
        threads(self.threads)
    }
}
