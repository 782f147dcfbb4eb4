//! `reticent trial run`.

use std::path::{Path, PathBuf};

use reticent_curate::trial::{DurableTrial, Release, Trial, TrialSpec, analyse};
use reticent_jobs::Progress;
use reticent_jobs::account::Paid;
use reticent_jobs::columns::TableFiles;
use reticent_jobs::trial::replay::{
    Drawn, Order, PaidReplay, ReplayError, Seen, Table, TrialFile, replay, replay_durably,
};
use reticent_jobs::trial::report;
use reticent_lab::trial::Replays;
use reticent_privacy::{Delta, Epsilon, Generator, NoiseRng, SimSeed, Stream};

use super::{show, shuffles};
use crate::curator::AccountArgs;
use crate::progress::Bar;
use crate::{CliError, caution, output};

#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command")]
pub(crate) struct Args {
    /// The plan, with a section [replay] that says how the table is read
    #[arg(value_name = "SPEC.toml")]
    spec: PathBuf,
    /// The table: CSV, gzip or Parquet; one file, several, a folder, or - for standard input
    #[arg(long, value_name = "TABLE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// The whole trial's privacy loss for each person, instead of the plan's
    #[arg(long, conflicts_with = "no_privacy")]
    epsilon: Option<Epsilon>,
    /// Protect nobody: a baseline
    #[arg(long)]
    no_privacy: bool,
    /// Count outcomes beyond the declared range as its nearest end, instead of refusing them: effects are then those
    /// on the clipped outcome
    #[arg(long)]
    clip: bool,
    /// Take the rows in the file's order instead of a random one
    #[arg(long)]
    in_order: bool,
    /// Make it a simulation that can be made again: everything random comes from this seed, and nobody is protected
    #[arg(long)]
    seed: Option<u64>,
    /// Replay so many times, and tell how often intervals contain the whole table's effect
    #[arg(long, value_name = "N", requires = "seed", conflicts_with_all = ["state", "out", "in_order"])]
    shuffles: Option<u32>,
    /// Draw rows with replacement: the table is then a population, and its effect the truth
    #[arg(long, requires = "seed", conflicts_with_all = ["state", "in_order"])]
    bootstrap: bool,
    /// Keep the trial in this file, step by step; an interrupted run goes on where it was. Needs --in-order, or --seed:
    /// the order of rows must be the same again
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Write the report into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    replace: output::Replace,
    /// Print one JSON document and nothing else
    #[arg(long)]
    json: bool,
    /// Threads for many replays; results do not depend on it [default: all cores]
    #[arg(long, requires = "shuffles")]
    threads: Option<usize>,
    #[command(flatten)]
    account: AccountArgs,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    if args.state.is_some() && !args.in_order && args.seed.is_none() {
        let text = "--state needs --in-order, or --seed for a simulation: to go on after an interruption, the order of the rows must be the same again";
        return Err(CliError::Usage(text.into()));
    }
    let mut file = TrialFile::read(&args.spec)?;
    // For a finished table alone.
    file.adjust = None;
    file.plan.private &= !args.no_privacy;
    file.plan.outcome.clip |= args.clip;
    if let Some(epsilon) = args.epsilon {
        (file.plan.private, file.plan.epsilon) = (true, Some(epsilon.value()));
    }
    let spec = file.spec()?;
    // One that was given in the call was cautioned about already.
    spec.epsilon().filter(|_| args.epsilon.is_none()).into_iter().for_each(caution::about);
    if let Some(out) = &args.out {
        output::claim_in(out, &report::FILES, args.replace.force)?;
    }
    let files = TableFiles::new(&args.data)?;
    if let Some(epsilon) = spec.epsilon().filter(|_| args.seed.is_none()) {
        return args.charged(&spec, &file, &files, epsilon);
    }
    let table = Table::read(&files, &spec, &file, None)?;
    if let (Some(replays), Some(seed)) = (args.shuffles, args.seed) {
        let told = shuffles::Told { threads: args.threads, json: args.json };
        let (drawn, seed) = (args.drawn(), SimSeed(seed));
        let replays = Replays { spec: &spec, table: &table, finished: false, drawn, replays, seed };
        return shuffles::run(&told, &replays);
    }
    let release = args.replay(&spec, &table)?;
    args.show(&release, table.rows(), None)
}

impl Args {
    /// A private trial, paid from its people's account.
    fn charged(
        &self,
        spec: &TrialSpec,
        file: &TrialFile,
        files: &TableFiles,
        epsilon: Epsilon,
    ) -> Result<(), CliError> {
        let accounts = self.account.open()?;
        let seen = Seen::read(files, spec, file, accounts.key())?;
        let (drawn, state) = (self.drawn(), self.state.as_deref());
        let purse = self.account.purse(&accounts, (epsilon, Delta::ZERO));
        let trial = PaidReplay { spec, file, seen: &seen, drawn, state, purse };
        let people = spec.draft().people.min(seen.table.rows().into());
        let (release, paid) = self.with_bar(people, |go_on| trial.run(go_on))?;
        self.show(&release, seen.table.rows(), Some(&paid))
    }

    /// The report, on standard output and in files.
    fn show(&self, release: &Release, rows: u32, paid: Option<&Paid>) -> Result<(), CliError> {
        let left_out = show::left_out(release.spec(), rows).filter(|_| !self.bootstrap);
        let told = show::Told {
            json: self.json,
            seed: self.seed,
            out: self.out.as_deref(),
            paid: paid.map(|paid| (paid, "trial")),
            lines: left_out.into_iter().collect(),
        };
        show::told(release, &analyse(release), &told)
    }

    /// Runs a replay of so many people with a bar; an interrupted one may go on in its file.
    fn with_bar<T>(
        &self,
        people: u64,
        run: impl FnOnce(&dyn Fn(u64) -> bool) -> Result<T, ReplayError>,
    ) -> Result<T, CliError> {
        let bar = Bar::new();
        bar.size(people);
        let done = run(&|people| {
            bar.served(people);
            !bar.stop()
        });
        bar.finish();
        if let (Err(ReplayError::Interrupted { .. }), Some(path)) = (&done, &self.state) {
            eprintln!("everyone so far is kept in {}; the same command goes on from there", path.display());
        }
        Ok(done?)
    }

    fn drawn(&self) -> Drawn {
        match (self.in_order, self.bootstrap) {
            (true, _) => Drawn::InOrder,
            (_, true) => Drawn::Bootstrap,
            _ => Drawn::Shuffled,
        }
    }

    fn replay(&self, spec: &TrialSpec, table: &Table) -> Result<Release, CliError> {
        match self.seed.map(SimSeed) {
            None => self.replay_with(spec, table, NoiseRng::from_os().map_err(ReplayError::from)?, || {
                Ok(NoiseRng::from_os().map_err(ReplayError::from)?)
            }),
            Some(seed) => {
                let order = seed.stream(0, Stream::Environment);
                self.replay_with(spec, table, order, || {
                    // A run that goes on must not repeat the coins it began with: each length of the file has
                    // a stream of its own.
                    Ok(seed.stream(self.state.as_deref().map_or(0, length), Stream::Noise))
                })
            }
        }
    }

    fn replay_with<G: Generator>(
        &self,
        spec: &TrialSpec,
        table: &Table,
        mut shuffle: G,
        noise: impl FnOnce() -> Result<G, CliError>,
    ) -> Result<Release, CliError> {
        let order = Order::new(self.drawn(), table.rows(), spec.draft().people, &mut shuffle);
        let noise = noise()?;
        self.with_bar(order.rows().len() as u64, |go_on| match &self.state {
            None => {
                let mut trial = Trial::with_noise(spec.clone(), noise);
                replay(table, &order, &mut trial, go_on).map(|()| trial.release().clone())
            }
            Some(path) => {
                let trial = DurableTrial::open_with(path, spec.clone(), noise)?;
                replay_durably(table, &order, trial, go_on).map(|trial| trial.release().clone())
            }
        })
    }
}

fn length(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}
