//! Contextual bandits by adaptive bins and successive elimination: the paper's agents, faithfully.
//!
//! [`Abse`] is `ldp-abse` (Algorithms 1 and 2), `ldp-abse-transfer` (Algorithm 3, with sources in the spec)
//! and, with the open channel, the non-private `abse`. [`Radius`] names its confidence radius. Where the text
//! leaves a choice:
//!
//! - A bin is refined only from log^2 n people of some source on, as arms are eliminated (equations (16),
//!   (29)): with 0/0 = 0 the radius of a new bin is 0, below every tau, and each bin would be split by its
//!   first person.
//! - A bin with one active arm is not refined: there is nothing left to choose, and the play is the same.
//! - No bin is deeper than log2(n) - 1, so that at most n bins can ever be active, which `radius.md` needs.
//! - Reports of sources and target are accepted in any order; Algorithm 3 has the sources first.
//!
//! The non-private `abse` is Algorithm 2 with the privacy term left out of the radius (14). Perchet and
//! Rigollet (2013) split a bin into 2^d children after a number of people fixed beforehand and start each
//! child from nothing; here, as the paper says of its baseline, a child keeps its parent's raw records,
//! splits are Algorithm 1's, and the radius decides when.

mod error;
mod evidence;
mod open;
mod radius;
mod split;
mod sums;
#[cfg(test)]
mod tests;

use crate::abse::{Bin, Policy, Report, Spec};
use reticent_privacy::{Guarantee, SimRng};

pub use error::AbsorbError;
use evidence::{Estimate, Evidence, Origin};
pub use radius::Radius;

/// Adaptive binning and successive elimination.
///
/// ```
/// use reticent_baselines::abse::agent::{Abse, Radius};
/// use reticent_privacy::{Epsilon, SimSeed, Stream};
/// use reticent_baselines::abse::{Answer, Report, Spec};
/// let spec = Spec::new(2, 3, Some(Epsilon::new(1.0)?), 10_000, vec![])?;
/// let mut agent = Abse::new(spec, Radius::Proof, SimSeed(1).stream(0, Stream::Agent));
/// assert_eq!(agent.policy().bins().len(), 1);
/// agent.absorb(&Report { version: 0, source: None, answer: Answer::Values(vec![5; 6]) })?;
/// assert!(agent.absorb(&Report { version: 1, source: None, answer: Answer::Values(vec![5; 6]) }).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Abse {
    spec: Spec,
    policy: Policy,
    evidence: Evidence,
    max_depth: u32,
    /// Tau of each depth (equation (17)).
    taus: Vec<f64>,
    published: bool,
    rng: SimRng,
    scratch: Vec<Option<Estimate>>,
}

/// What becomes of a bin.
#[derive(Debug, Clone, PartialEq)]
struct Verdict {
    bin: usize,
    arms: Vec<u32>,
    refine: bool,
}

impl Abse {
    /// The agent; its own randomness chooses the axes of splits (Algorithm 1).
    pub fn new(spec: Spec, radius: Radius, rng: SimRng) -> Abse {
        let rule = (radius.constant(&spec), radius.tau_factor(spec.dims()));
        Self::with_rule(spec, rule, false, rng)
    }

    /// **Not private, a broken baseline**: the server of the authors' published code, whose devices are
    /// silent about all bins but their person's (`Device::answer_silent` in `reticent-device`). It counts the
    /// people of a bin by who was not silent about it.
    pub fn published(spec: Spec, radius: Radius, rng: SimRng) -> Abse {
        let rule = (radius.constant(&spec), radius.tau_factor(spec.dims()));
        Self::with_rule(spec, rule, true, rng)
    }

    /// From `C_n` and the factor of tau.
    fn with_rule(spec: Spec, (constant, factor): (f64, f64), published: bool, rng: SimRng) -> Abse {
        let first = (0..spec.arms()).collect();
        let whole = Bin {
            low: vec![0.0; spec.dims() as usize],
            high: vec![1.0; spec.dims() as usize],
            depth: 0,
            arms: first,
        };
        let policy = partition(0, vec![whole]);
        let evidence = Evidence::new(&spec, constant, published, policy.pairs());
        let max_depth = radius::deepest(&spec);
        let taus = (0..=max_depth).map(|depth| factor * radius::edge(spec.dims(), depth)).collect();
        Abse { spec, policy, evidence, max_depth, taus, published, rng, scratch: Vec::new() }
    }

    /// The public policy for the next person.
    #[inline]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The experiment that this agent was made for.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// What the agent promises each person of the target: its channel's guarantee, since all it does is
    /// post-processing.
    pub fn guarantee(&self) -> Guarantee {
        if self.published {
            return Guarantee::none("one report: the context, arm and reward of one person at one visit");
        }
        self.spec.guarantee()
    }

    /// Learns from one report; a report that does not fit is refused and changes nothing.
    pub fn absorb(&mut self, report: &Report) -> Result<(), AbsorbError> {
        if report.version != self.policy.version() {
            return Err(AbsorbError::WrongVersion { got: report.version, now: self.policy.version() });
        }
        let touched = self.evidence.add(report, &self.policy, &self.spec)?;
        let mut verdicts = Vec::new();
        for bin in touched {
            verdicts.extend(self.judge(bin));
        }
        if !verdicts.is_empty() {
            self.apply(&verdicts);
        }
        Ok(())
    }

    /// Equations (16) or (29), then (17).
    #[inline]
    fn judge(&mut self, bin: usize) -> Option<Verdict> {
        let Bin { arms, depth, .. } = &self.policy.bins()[bin];
        if arms.len() < 2 || !self.evidence.is_enough(bin) {
            return None;
        }
        let pairs = self.policy.start(bin)..self.policy.start(bin + 1);
        let tau = self.taus[*depth as usize];
        if self.evidence.is_idle(bin, pairs.clone(), tau) {
            return None;
        }
        let evidence = &self.evidence;
        self.scratch.clear();
        self.scratch.extend(pairs.map(|pair| evidence.estimate(bin, pair)));
        let known = || self.scratch.iter().flatten();
        let best_lower = known().map(|e| e.mean - 2.0 * e.radius).fold(f64::NEG_INFINITY, f64::max);
        let stays = |e: &Option<Estimate>| e.is_none_or(|e| best_lower <= e.mean + 2.0 * e.radius);
        let fine = |e: &Option<Estimate>| e.is_some_and(|e| e.radius < tau);
        let keeps = self.scratch.iter().filter(|e| stays(e)).count();
        let refine = keeps > 1 && *depth < self.max_depth && self.scratch.iter().any(|e| stays(e) && fine(e));
        if keeps == arms.len() && !refine {
            return None;
        }
        let kept = arms.iter().zip(&self.scratch).filter(|(_, e)| stays(e)).map(|(&arm, _)| arm);
        Some(Verdict { bin, arms: kept.collect(), refine })
    }

    /// The next policy, and the evidence in its order.
    fn apply(&mut self, verdicts: &[Verdict]) {
        let mut bins = Vec::new();
        let mut origins = Vec::new();
        for (index, bin) in self.policy.bins().iter().enumerate() {
            match verdicts.iter().find(|verdict| verdict.bin == index) {
                None => bins.push(bin.clone()),
                Some(Verdict { arms, refine: false, .. }) => {
                    bins.push(Bin { arms: arms.clone(), ..bin.clone() });
                }
                Some(Verdict { arms, .. }) => {
                    bins.extend(split::max_edge(&Bin { arms: arms.clone(), ..bin.clone() }, &mut self.rng));
                    origins.push(Origin::Child(index));
                    origins.push(Origin::Child(index));
                    continue;
                }
            }
            origins.push(Origin::Kept(index));
        }
        let next = partition(self.policy.version() + 1, bins);
        self.evidence.rebuild(&self.policy, &next, &origins);
        self.policy = next;
    }
}

/// Bins made by splitting the cube are a partition.
fn partition(version: u64, bins: Vec<Bin>) -> Policy {
    Policy::new(version, bins).unwrap_or_else(|error| unreachable!("{error}"))
}
