//! Deliberately wrong mechanisms, each named after a mistake that people have made. The auditor must catch every one.

mod accounting;
mod contextual;
mod hidden;
mod kernel;
mod noise;
mod seeds;
mod sensitivity;
mod silence;
mod surroundings;
mod threshold;
mod trial;

use std::marker::PhantomData;
use std::num::NonZeroU64;

use reticent_audit::{Audit, AuditError, Claim, Finding};
use reticent_privacy::exact::{DiscreteLaplace, uniform_below};
use reticent_privacy::{Epsilon, Generator};

use crate::catalogue::{Effort, Subject};

/// A wrong mechanism.
pub trait Broken: Sync {
    /// Its name.
    fn name(&self) -> &'static str;
    /// The mistake, in a sentence.
    fn mistake(&self) -> &'static str;
    /// What the auditor finds.
    fn audit(&self, effort: &Effort) -> Result<Finding, AuditError>;
}

/// All of them.
pub fn all() -> Vec<Box<dyn Broken>> {
    let mut all = noise::all();
    all.extend(sensitivity::all());
    all.extend(accounting::all());
    all.extend(silence::all());
    all.extend(surroundings::all());
    all.extend(seeds::all());
    all.extend(hidden::all());
    all.extend(threshold::all());
    all.extend(contextual::all());
    all.extend(trial::all());
    all.extend(kernel::all());
    all
}

/// A mistake that shows in what is sent.
trait Mistake: Subject<Input: 'static> + Default + 'static {
    const NAME: &'static str;
    const MISTAKE: &'static str;
    /// By how much runs are fewer than asked for, where one is large.
    const FEWER: usize = 1;
    /// Neighbours, with names.
    fn inputs() -> Vec<(&'static str, Self::Input)>;
    /// What it promises.
    fn claim() -> Claim {
        claim()
    }
}

/// Fewer runs than this are refused.
const LEAST: usize = 100;

struct Of<M>(PhantomData<fn() -> M>);

fn boxed<M: Mistake>() -> Box<dyn Broken> {
    Box::new(Of::<M>(PhantomData))
}

impl<M: Mistake> Broken for Of<M> {
    fn name(&self) -> &'static str {
        M::NAME
    }

    fn mistake(&self) -> &'static str {
        M::MISTAKE
    }

    fn audit(&self, effort: &Effort) -> Result<Finding, AuditError> {
        let samples = (effort.samples / M::FEWER).max(effort.samples.min(LEAST));
        let effort = Effort { samples, ..*effort };
        effort.measure(Audit::new(M::NAME, M::claim()).labelled(M::inputs()), &M::default())
    }
}

/// They claim epsilon 1, but for a published one with a claim of its own.
fn claim() -> Claim {
    Claim::pure(unit_epsilon())
}

fn unit_epsilon() -> Epsilon {
    epsilon_of(1.0)
}

/// A constant of this suite. A constant that is no epsilon would be the largest, which claims nothing.
fn epsilon_of(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap_or(Epsilon::MAX)
}

/// Steps of the grid on which these mechanisms add exact noise: fine enough for any of them.
const STEPS: u64 = 1 << 20;

/// Exact Laplace noise of scale `numerator / denominator` on that grid, where 1 is [`STEPS`].
fn laplace<G: Generator>(numerator: u64, denominator: u64, rng: &mut G) -> i64 {
    let positive = |value: u64| NonZeroU64::new(value).unwrap_or(NonZeroU64::MIN);
    DiscreteLaplace::new(positive(numerator * STEPS), positive(denominator)).sample(rng) as i64
}

fn on_grid(value: f64) -> i64 {
    (value * STEPS as f64) as i64
}

/// A float in (0, 1] the usual way.
fn uniform_float<G: Generator>(rng: &mut G) -> f64 {
    let bound = NonZeroU64::new(1 << 53).unwrap_or(NonZeroU64::MIN);
    (uniform_below(bound, rng) + 1) as f64 / bound.get() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use reticent_privacy::SimSeed;

    /// With a small effort too: the mistakes are not subtle to one who looks.
    #[test]
    fn every_mistake_is_caught() {
        let effort = Effort { samples: 40_000, threads: 1, seed: Some(SimSeed(3)) };
        let mut names = Vec::new();
        for broken in all() {
            let finding = broken.audit(&effort).unwrap();
            assert!(!finding.passes(), "{}: {finding}", broken.mistake());
            names.push(broken.name());
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all().len());
        assert!(names.len() >= 28);
    }
}
