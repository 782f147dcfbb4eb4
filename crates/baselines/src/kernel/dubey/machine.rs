//! The bandit, person by person.

use std::num::NonZeroU64;

use reticent_privacy::exact::uniform_below;
use reticent_privacy::{Generator, Guarantee, Loss, VectorError, VectorSum};
use serde::{Deserialize, Serialize};

use super::super::ucb::{beside_context, first_largest};
use super::tree::Tree;
use super::{DubeyError, DubeySpec, Estimate, FourierMap, statistic};
use reticent_curate::kernel::{Points, Records, blocks};

/// The private bandit in the middle of its people. Its actions for others and its estimates are private; its
/// state is not.
pub struct Dubey {
    spec: DubeySpec,
    map: FourierMap,
    candidates: Points,
    tree: Tree,
    served: usize,
    estimate: Option<Estimate>,
    scratch: Vec<f64>,
}

impl Dubey {
    /// For points of which the first inputs are those of `candidates`, which are public, and the others the context.
    pub fn new(spec: DubeySpec, candidates: &Points) -> Result<Dubey, DubeyError> {
        let rho = spec.check()?;
        let map = FourierMap::new(&spec.kernel, spec.nodes)?;
        if candidates.is_empty() || candidates.dimensions() > map.inputs() {
            return Err(DubeyError::Candidates { most: map.inputs(), got: candidates.dimensions() });
        }
        let tree = Tree::new(statistic::dimensions(map.rank()), spec.batch_count(), rho)?;
        let candidates = candidates.clone();
        Ok(Dubey { spec, map, candidates, tree, served: 0, estimate: None, scratch: Vec::new() })
    }

    /// `dubey`.
    pub fn name(&self) -> &'static str {
        "dubey"
    }

    /// What everybody but the person sees of a person.
    pub fn guarantee(&self) -> Guarantee {
        promise(self.spec.loss)
    }

    /// The candidate's number for the next person: the largest upper bound of the last release, the first of
    /// equals; uniform before the first release.
    pub fn choose<G: Generator>(&self, context: &[f64], rng: &mut G) -> usize {
        let count = NonZeroU64::new(self.candidates.len() as u64).unwrap_or(NonZeroU64::MIN);
        match &self.estimate {
            None => uniform_below(count, rng) as usize,
            Some(estimate) => {
                let points = beside_context(&self.candidates, context, self.map.inputs());
                first_largest(estimate.bounds(&points).into_iter())
            }
        }
    }

    /// That person's point, action inputs first, and reward; clipped like [`Records`]. Releases where a batch ends.
    pub fn observe<G: Generator>(
        &mut self,
        point: &[f64],
        reward: f64,
        rng: &mut G,
    ) -> Result<(), DubeyError> {
        if self.served == self.spec.people {
            return Err(DubeyError::Finished { people: self.spec.people });
        }
        let mut one = Records::new(self.map.inputs());
        one.push(point, reward);
        let rows = self.map.rows(one.points());
        statistic::fill(&mut self.scratch, rows.row(0), one.rewards()[0]);
        self.tree.add(&self.scratch)?;
        self.served += 1;
        if self.served.is_multiple_of(self.spec.batch_len()) || self.served == self.spec.people {
            self.release(rng)?;
        }
        Ok(())
    }

    /// The last release, if there was one.
    pub fn estimate(&self) -> Option<&Estimate> {
        self.estimate.as_ref()
    }

    fn release<G: Generator>(&mut self, rng: &mut G) -> Result<(), DubeyError> {
        self.tree.end_batch(rng)?;
        let (prefix, sigma) = (self.tree.prefix(), self.tree.sigma());
        self.estimate = Some(Estimate::new(&self.map, &prefix, sigma, self.served, &self.spec)?);
        Ok(())
    }
}

/// What all releases of a bandit with this loss promise together.
pub fn promise(loss: Loss) -> Guarantee {
    Guarantee::central(
        loss,
        "one person's context and reward",
        "two sequences of people, of whom one has another context and reward",
        "crates/baselines/src/kernel/dubey/guarantee.md",
    )
}

/// What one release publishes: all that an estimate is read from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Released {
    /// The noisy sum of the records' vectors.
    pub(super) prefix: Vec<f64>,
    /// The standard deviation of the noise on each number.
    pub(super) sigma: f64,
}

/// One release from records whose actions were drawn without looking at people: the bandit with one batch,
/// whatever `spec.batches` says, on several threads. The sums are of integers, so their number does not
/// change the result.
pub fn once<G: Generator>(
    spec: &DubeySpec,
    records: &Records,
    threads: usize,
    rng: &mut G,
) -> Result<Estimate, DubeyError> {
    Collected::new(spec, records, threads)?.release(rng)?.estimate(spec)
}

/// The sum of a log's vectors before its noise is drawn: private.
pub struct Collected {
    tree: Tree,
}

impl Collected {
    /// Adds up a log of as many people as the spec says.
    pub fn new(spec: &DubeySpec, records: &Records, threads: usize) -> Result<Collected, DubeyError> {
        let rho = DubeySpec { batches: 1, ..spec.clone() }.check()?;
        let map = FourierMap::new(&spec.kernel, spec.nodes)?;
        if records.points().dimensions() != map.inputs() || records.len() != spec.people {
            return Err(DubeyError::Records { inputs: map.inputs(), people: spec.people });
        }
        let dimensions = statistic::dimensions(map.rank());
        let mut tree = Tree::new(dimensions, 1, rho)?;
        let start = || Ok::<_, VectorError>(VectorSum::new(dimensions));
        let parts = blocks::fold(records.len(), threads, start, |sum, numbers| {
            let added = sum.as_mut().map_err(|error| *error).and_then(|sum| add(sum, &map, records, numbers));
            if let Err(error) = added {
                *sum = Err(error);
            }
        });
        for part in parts {
            tree.merge(&part?)?;
        }
        Ok(Collected { tree })
    }

    /// Draws the noise, once.
    pub fn release<G: Generator>(mut self, rng: &mut G) -> Result<Released, DubeyError> {
        self.tree.end_batch(rng)?;
        Ok(Released { prefix: self.tree.prefix(), sigma: self.tree.sigma() })
    }
}

impl Released {
    /// The estimate, as often as one likes.
    pub fn estimate(&self, spec: &DubeySpec) -> Result<Estimate, DubeyError> {
        let spec = DubeySpec { batches: 1, ..spec.clone() };
        let map = FourierMap::new(&spec.kernel, spec.nodes)?;
        let people = spec.people;
        if self.prefix.len() != statistic::dimensions(map.rank()) {
            return Err(DubeyError::Records { inputs: map.inputs(), people });
        }
        Ok(Estimate::new(&map, &self.prefix, self.sigma, people, &spec)?)
    }

    /// How many numbers were released.
    pub fn numbers(&self) -> usize {
        self.prefix.len()
    }
}

/// Adds some of the records.
fn add(
    sum: &mut VectorSum,
    map: &FourierMap,
    records: &Records,
    numbers: std::ops::Range<usize>,
) -> Result<(), VectorError> {
    let rows = map.rows(&records.points().range(numbers.clone()));
    let mut vector = Vec::new();
    for (row, reward) in rows.row_iter().zip(&records.rewards()[numbers]) {
        statistic::fill(&mut vector, row, *reward);
        sum.add(&vector)?;
    }
    Ok(())
}
