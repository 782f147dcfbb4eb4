//! `reticent trial analyse`: a finished trial's table, released once.

use std::path::PathBuf;

use reticent_curate::trial::{Adjust, Release, TrialSpec, analyse, share_to_pay};
use reticent_jobs::account::Paid;
use reticent_jobs::columns::TableFiles;
use reticent_jobs::trial::replay::{Drawn, ReplayError, Seen, Table, TrialFile};
use reticent_jobs::trial::{PaidFinished, adjusted_plan, everyone, finished_plan, release_finished, report};
use reticent_lab::trial::Replays;
use reticent_privacy::{Epsilon, NoiseRng, SimSeed, Stream};

use super::{show, shuffles};
use crate::curator::AccountArgs;
use crate::{CliError, caution, output, stream};

#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option that is there or not")]
pub(crate) struct Args {
    /// The plan, with a section [replay] that names the arm's column and its values
    #[arg(value_name = "SPEC.toml")]
    spec: PathBuf,
    /// The table: CSV, gzip or Parquet; one file, several, a folder, or - for standard input. All rows are taken
    #[arg(long, value_name = "TABLE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// The release's privacy loss for each person, instead of the plan's
    #[arg(long, conflicts_with = "no_privacy")]
    epsilon: Option<Epsilon>,
    /// Protect nobody: a baseline
    #[arg(long)]
    no_privacy: bool,
    /// Count outcomes beyond the declared range as its nearest end, instead of refusing them: effects are then those
    /// on the clipped outcome
    #[arg(long)]
    clip: bool,
    /// Adjust everyone's effect for the covariates of the plan's section [adjust]: concentrated privacy within the
    /// plan's epsilon and the section's delta. Where it cannot pay, by public numbers, the plain effect is released
    #[arg(long, conflicts_with = "no_privacy")]
    adjust: bool,
    /// Make it a simulation that can be made again: the noise comes from this seed, and nobody is protected
    #[arg(long)]
    seed: Option<u64>,
    /// Draw the rows with replacement and analyse them so many times, and tell how often intervals contain the
    /// table's own effect
    #[arg(long, value_name = "N", requires = "seed", conflicts_with = "out")]
    bootstrap: Option<u32>,
    /// Write the report into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    replace: output::Replace,
    /// Print one JSON document and nothing else
    #[arg(long)]
    json: bool,
    /// Threads for many analyses; results do not depend on it [default: all cores]
    #[arg(long, requires = "bootstrap")]
    threads: Option<usize>,
    #[command(flatten)]
    account: AccountArgs,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let mut file = TrialFile::read(&args.spec)?;
    file.plan.private &= !args.no_privacy;
    file.plan.outcome.clip |= args.clip;
    if let Some(epsilon) = args.epsilon {
        (file.plan.private, file.plan.epsilon) = (true, Some(epsilon.value()));
    }
    // The trial is over: how its chances moved is not for this release to say.
    (file.plan.alpha, file.plan.first_epoch) = (0.0, None);
    file.adjust = args.covariates(&file)?;
    let declared = file.spec()?;
    declared.epsilon().filter(|_| args.epsilon.is_none()).into_iter().for_each(caution::about);
    if let Some(out) = &args.out {
        output::claim_in(out, &report::FILES, args.replace.force)?;
    }
    let files = TableFiles::new(&args.data)?;
    if let Some(epsilon) = declared.epsilon().filter(|_| args.seed.is_none()) {
        let accounts = args.account.open()?;
        let seen = Seen::read(&files, &declared, &file, accounts.key())?;
        let spec = released_plan(&file, finished_plan(&declared, &seen.table)?)?;
        let purse = args.account.purse(&accounts, (epsilon, spec.delta()));
        let (release, paid) = PaidFinished { spec: &spec, file: &file, seen: &seen, purse }.run()?;
        return args.show(&release, Some(&paid));
    }
    let table = Table::read(&files, &declared, &file, None)?;
    let spec = released_plan(&file, finished_plan(&declared, &table)?)?;
    if let (Some(replays), Some(seed)) = (args.bootstrap, args.seed) {
        let told = shuffles::Told { threads: args.threads, json: args.json };
        let (drawn, seed) = (Drawn::Bootstrap, SimSeed(seed));
        let replays = Replays { spec: &spec, table: &table, finished: true, drawn, replays, seed };
        return shuffles::run(&told, &replays);
    }
    let order = everyone(&table)?;
    let release = match args.seed {
        Some(seed) => release_finished(&spec, &table, &order, &mut SimSeed(seed).stream(0, Stream::Noise))?,
        None => {
            release_finished(&spec, &table, &order, &mut NoiseRng::from_os().map_err(ReplayError::from)?)?
        }
    };
    args.show(&release, None)
}

/// So much of an outcome's variance covariates may be hoped to explain: where more is needed to pay, nothing is
/// adjusted.
const HOPED: f64 = 0.2;

/// The plan of the release: adjusted if that is asked for, and can pay.
fn released_plan(file: &TrialFile, plain: TrialSpec) -> Result<TrialSpec, CliError> {
    let Some(adjust) = &file.adjust else { return Ok(plain) };
    let adjusted = adjusted_plan(&plain, adjust)?;
    match share_to_pay(&adjusted) {
        Some(share) if share <= HOPED => Ok(adjusted),
        share => {
            eprintln!(
                "note: adjusting would hardly pay here: {} of the outcome's variance would have to be explained to make up for \
                 its larger noise. The plain effect is released, at the same epsilon and without delta; more people or a \
                 larger epsilon would help",
                share.map_or("more than all".into(), |share| format!("{:.0} %", 100.0 * share))
            );
            Ok(plain)
        }
    }
}

impl Args {
    /// What is adjusted for, if that is asked for.
    fn covariates(&self, file: &TrialFile) -> Result<Option<Adjust>, CliError> {
        match (self.adjust, &file.adjust) {
            (false, _) => Ok(None),
            (true, Some(adjust)) => Ok(Some(adjust.clone())),
            (true, None) => Err(CliError::Usage(
                "--adjust needs a section [adjust] in the plan: `delta`, and for each covariate [[adjust.covariate]] \
                 with `column`, `low` and `high` (docs/trial.md)"
                    .into(),
            )),
        }
    }

    fn show(&self, release: &Release, paid: Option<&Paid>) -> Result<(), CliError> {
        let spec = release.spec();
        let mut lines = vec![format!("  public      {}", public(spec))];
        lines.extend(adjusted(release));
        let told = show::Told {
            json: self.json,
            seed: self.seed,
            out: self.out.as_deref(),
            paid: paid.map(|paid| (paid, "release")),
            lines,
        };
        show::told(release, &analyse(release), &told)?;
        if let Some(check) = report::strata(release) {
            stream::warn(format_args!("{}", check.told));
        }
        Ok(())
    }
}

/// By what the effect is adjusted.
fn adjusted(release: &Release) -> Option<String> {
    let (adjust, used) = (release.spec().draft().adjust.as_ref()?, release.is_adjusted()?);
    let names: Vec<&str> = adjust.covariates.iter().map(|one| one.column.as_str()).collect();
    let epsilon = release.spec().epsilon()?;
    let by = if used { "for" } else { "by nothing: too little was told by" };
    let (names, delta) = (names.join(", "), adjust.delta);
    Some(format!("  adjusted    {by} {names}; within epsilon {epsilon} and delta {delta:e}"))
}

/// What the release does not hide.
fn public(spec: &TrialSpec) -> &'static str {
    if spec.draft().adjust.is_some() {
        "arms and the number of people; hidden: covariates and outcomes"
    } else if spec.draft().public_strata {
        "arms, features and the number of people; hidden: outcomes"
    } else {
        "arms and the number of people; hidden: features, and with them arms by stratum, and outcomes"
    }
}
