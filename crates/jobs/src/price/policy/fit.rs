//! From privatised logs to a policy.

use std::path::Path;

use reticent_learn::pricing::{Overlap, Policy, Sign, fit, signs};
use reticent_privacy::Guarantee;

use super::ruled::Ruling;
use super::sources::{LogMark, counted};
use super::stored::together;
use super::worth::Judge;
use super::{Kept, PolicyFileError, PricePolicy, Single, Source, Target, Wish, Worth, read_target};
use crate::Progress;
use crate::columns::RawTable;

/// How logs become a policy.
#[derive(Debug, Clone, Copy)]
pub struct FitLogs<'a> {
    /// Privatised logs of one market.
    pub logs: &'a [&'a Path],
    /// What is wanted.
    pub wish: &'a Wish,
    /// A sample of the contexts for which prices will be quoted; the log's own if none.
    pub target: Option<&'a RawTable>,
}

/// A policy and what is known about it.
#[derive(Debug, Clone)]
pub struct FittedLogs {
    /// The policy.
    pub policy: Policy,
    /// What it promises each record: the largest loss of its logs, and nothing if one was simulated.
    pub guarantee: Guarantee,
    /// What it was learned from.
    pub sources: Vec<Source>,
    /// How much of the target market the logs cover.
    pub overlap: Overlap,
    /// What it earns in the target market, by the logs that it was learned from.
    pub worth: Worth,
    /// The best single price beside it: what it quotes where no other price surely gains.
    pub single: Single,
    /// Names of axes that were declared as ranges, the price last, and the stretches between which the logs
    /// have surely nothing.
    pub gaps: Vec<(String, Vec<(f64, f64)>)>,
    /// Names of contexts with which the logs' prices move.
    pub price_follows: Vec<String>,
    /// Two prices, of which the outcomes are surely higher at the dearer: then the log misleads about prices.
    pub outcomes_rise: Option<(f64, f64)>,
    /// Signs of forged reports.
    pub forged: Vec<Sign>,
    /// Rules that prices keep to, and what they cost.
    pub kept: Option<Kept>,
    /// How many target contexts there were.
    pub target: Option<u64>,
}

impl FittedLogs {
    /// The policy with all that its file says, the same whatever the order of the logs.
    pub fn stored(&self) -> PricePolicy {
        let mut logs: Vec<LogMark> = self.sources.iter().map(|source| source.mark.clone()).collect();
        logs.sort_by(|one, other| one.checksum.cmp(&other.checksum));
        PricePolicy {
            policy: self.policy.clone(),
            guarantee: self.guarantee.clone(),
            rules: self.kept.clone(),
            logs,
        }
    }
}

impl FitLogs<'_> {
    /// Counts, learns, and looks at what was learned. Neither the order of the logs nor how their reports are
    /// spread over files matters.
    pub fn run(&self, progress: &dyn Progress) -> Result<FittedLogs, PolicyFileError> {
        let (sources, tallies) = counted(self.logs, progress)?;
        let (Some(terms), Some(guarantee)) =
            (tallies.first().map(|tally| tally.spec().terms()), together(&sources))
        else {
            return Err(reticent_learn::pricing::FitError::Empty.into());
        };
        // What can be refused at once is refused before the fit.
        let objective = self.wish.objective(terms)?;
        let target = self.target.map(|table| read_target(table, terms, progress)).transpose()?;
        progress.begin("learning");
        let fitted = fit(&tallies)?;
        let points = target.as_ref().map(|target| &target.points[..]);
        let policy = fitted.policy_for(objective, points)?;
        let (policy, kept) = Ruling::new(&fitted, self.wish, policy, points)?.run()?;
        if progress.stop() {
            return Err(PolicyFileError::Interrupted);
        }
        let judge = Judge { fitted: &fitted, target: points, objective: policy.objective() };
        Ok(FittedLogs {
            guarantee,
            sources,
            overlap: fitted.overlap(&policy, points),
            worth: judge.policy(&policy),
            single: judge.own_single(&policy),
            gaps: fitted.gaps(),
            price_follows: fitted.price_follows(),
            outcomes_rise: fitted.outcomes_rise(policy.objective()),
            forged: signs(&tallies).into_iter().chain(fitted.rises_again(policy.objective())).collect(),
            kept,
            target: target.as_ref().map(Target::rows),
            policy,
        })
    }
}
