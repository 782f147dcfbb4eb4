//! The two private methods, from a log to what is drawn.

use reticent_baselines::kernel::dubey::{Collected, DubeySpec, FourierMap};
use reticent_baselines::kernel::{Usca, UscaSpec};
use reticent_curate::kernel::{Points, Population};
use reticent_jobs::Progress;
use reticent_jobs::tune::{Counted, TuneError};
use reticent_privacy::{Generator, Loss, SimSeed};

use super::{Drawn, OwnLog, OwnLogError, OwnMethod, raw};
use crate::kernel::best_on;
use crate::kernel::targets::in_context;

/// The approximating set has no more points than this, which takes seconds; the paper's has T K. It enters through a
/// mean over its points, and privacy does not rest on it.
const MOST: usize = 1 << 20;
/// The numbers whose squares `dubey` puts noise on are at most about so many.
const FEATURES: usize = 100;
/// The most nodes an input, and the fewest.
const NODES: (usize, usize) = (8, 2);
/// A variance of zero could not be divided by.
const LEAST_VARIANCE: f64 = 1e-4;
/// The approximating set is public and the same for everyone.
const COINS: SimSeed = SimSeed(0);

/// A log that is added up, before noise is drawn: private.
pub(super) enum Ready {
    Usca(Box<Usca>),
    Dubey(Collected),
}

impl OwnLog<'_> {
    /// Adds up the whole log, which must be as it was counted.
    pub(super) fn collect(&self, counted: Counted, progress: &dyn Progress) -> Result<Ready, OwnLogError> {
        if self.method == OwnMethod::Dubey {
            let spec = self.dubey(counted.rows)?;
            let records = raw::records(self.setting, &self.log(), counted, progress)?;
            return Ok(Ready::Dubey(Collected::new(&spec, &records, self.threads)?));
        }
        let spec = UscaSpec {
            tau: self.tau(),
            epsilon: self.loss.0,
            candidates: Points::candidates(self.setting.actions()),
            most_approximating: MOST,
        };
        progress.begin("spreading points");
        let people = counted.rows as usize;
        let mut usca = Usca::new(self.setting, &Population::Uniform, people, spec, COINS, self.threads)?;
        let mut failed = Ok(());
        let now = self.log().each(counted.rows, progress, |records| {
            failed = std::mem::replace(&mut failed, Ok(())).and_then(|()| usca.add(records));
            Ok(())
        })?;
        failed?;
        if now == counted { Ok(Ready::Usca(Box::new(usca))) } else { Err(TuneError::Changed.into()) }
    }

    /// The competitor's settings: as many nodes as are feasible.
    pub(super) fn dubey(&self, people: u64) -> Result<DubeySpec, OwnLogError> {
        let inputs = self.setting.inputs();
        let fits =
            |nodes: &usize, most: usize| nodes.checked_pow(inputs as u32).is_some_and(|all| all <= most);
        let few = (NODES.1..=NODES.0).rev().find(|nodes| fits(nodes, FEATURES));
        let nodes = few.or_else(|| Some(NODES.1).filter(|nodes| fits(nodes, FourierMap::MOST)));
        let nodes = nodes.ok_or(OwnLogError::Inputs { inputs })?;
        let loss = Loss::Approximate { epsilon: self.loss.0, delta: self.loss.1 };
        Ok(DubeySpec::new(self.setting.kernel().clone(), nodes, people as usize, loss, self.tau()))
    }

    /// The variance of rewards, as the plan says it.
    fn tau(&self) -> f64 {
        let noise = self.setting.draft().reward.noise;
        (noise * noise).max(LEAST_VARIANCE)
    }

    /// The best candidate for each context, with what is expected there in units of half the rewards' range.
    pub(super) fn answers(&self, values: impl Fn(&Points) -> Vec<f64>) -> Vec<(Vec<f64>, Option<f64>)> {
        let candidates = Points::candidates(self.setting.actions());
        let one = |context: &Vec<f64>| {
            let scaled = self.scaled(context);
            let action = best_on(&candidates, &values, &scaled);
            let mut alone = Points::new(action.len());
            alone.push(&action);
            let expected = values(&in_context(&alone, &scaled))[0];
            (action, Some(expected))
        };
        self.contexts.iter().map(one).collect()
    }

    fn scaled(&self, context: &[f64]) -> Vec<f64> {
        let first = self.setting.actions();
        context.iter().enumerate().map(|(i, &value)| self.setting.scaled(first + i, value)).collect()
    }
}

impl Ready {
    /// Draws the noise, once.
    pub(super) fn draw<G: Generator>(self, own: &OwnLog<'_>, rng: &mut G) -> Result<Drawn, OwnLogError> {
        match self {
            Ready::Usca(mut usca) => {
                let context = own.contexts.first().ok_or(OwnLogError::OneContext)?;
                Ok(Drawn::Action(usca.predict(&own.scaled(context), rng)?))
            }
            Ready::Dubey(collected) => Ok(Drawn::Sums(collected.release(rng)?)),
        }
    }
}
