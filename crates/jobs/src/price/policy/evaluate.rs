//! What a policy is worth by logs that it was not learned from.

use std::path::{Path, PathBuf};

use reticent_learn::pricing::{FitError, Overlap, Policy, fit};

use super::sources::counted;
use super::worth::Judge;
use super::{PolicyFileError, PricePolicy, Single, Source, Target, Worth, read_policy, read_target};
use crate::Progress;
use crate::columns::RawTable;

/// How a policy is valued.
#[derive(Debug, Clone, Copy)]
pub struct Evaluate<'a> {
    /// The policy's file.
    pub policy: &'a Path,
    /// Privatised logs of its market that it was not learned from.
    pub logs: &'a [&'a Path],
    /// A sample of the contexts for which prices will be quoted; the logs' own if none.
    pub target: Option<&'a RawTable>,
}

/// What a policy is worth.
#[derive(Debug, Clone)]
pub struct Evaluation {
    /// The policy.
    pub policy: Policy,
    /// The logs.
    pub sources: Vec<Source>,
    /// How many reports they hold.
    pub reports: u64,
    /// What the policy earns.
    pub worth: Worth,
    /// The policy's own single price, which these logs had no part in; of a policy that has none, the best one
    /// by these logs, a comparison that favours it.
    pub single: Single,
    /// How much more than that the policy earns.
    pub gain: Worth,
    /// The mean of the policy's prices, for everybody.
    pub mean_price: Single,
    /// How much of the target market these logs cover.
    pub overlap: Overlap,
    /// How many target contexts there were.
    pub target: Option<u64>,
    /// Those of the logs that the policy was learned from: they flatter it.
    pub learned_from: Vec<PathBuf>,
}

impl Evaluate<'_> {
    /// Learns the market anew from these logs alone, and asks what the policy's prices earn in it.
    pub fn run(&self, progress: &dyn Progress) -> Result<Evaluation, PolicyFileError> {
        let stored = read_policy(self.policy)?;
        let (sources, tallies) = counted(self.logs, progress)?;
        let learned_from = own_logs(&stored, &sources);
        let policy = stored.policy;
        if tallies.iter().any(|tally| tally.spec().terms() != policy.terms()) {
            let name = |path: &Path| path.display().to_string();
            let log = self.logs.first().map_or_else(String::new, |log| name(log));
            return Err(PolicyFileError::OtherMarket { log, policy: name(self.policy) });
        }
        let target = self.target.map(|table| read_target(table, policy.terms(), progress)).transpose()?;
        let reports = tallies.iter().map(reticent_learn::pricing::Tally::reports).sum();
        if reports == 0 {
            return Err(FitError::Empty.into());
        }
        progress.begin("learning");
        let fitted = fit(&tallies)?;
        if progress.stop() {
            return Err(PolicyFileError::Interrupted);
        }
        let points = target.as_ref().map(|target| &target.points[..]);
        let judge = Judge { fitted: &fitted, target: points, objective: policy.objective() };
        let single = judge.own_single(&policy);
        Ok(Evaluation {
            sources,
            reports,
            learned_from,
            worth: judge.policy(&policy),
            single,
            gain: judge.gain(&policy, single.price),
            mean_price: judge.single(judge.mean_price(&policy)),
            overlap: fitted.overlap(&policy, points),
            target: target.as_ref().map(Target::rows),
            policy,
        })
    }
}

/// Those of the logs that a policy was learned from.
pub(super) fn own_logs(policy: &PricePolicy, sources: &[Source]) -> Vec<PathBuf> {
    let own = sources.iter().filter(|source| policy.learned_from(&source.mark));
    own.map(|source| source.file.clone()).collect()
}
